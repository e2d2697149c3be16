"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Ellipsis, Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { ICON_BUTTON, ICON_BUTTON_SIZES, IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { Notice } from "@/components/ui/states/notice";
import { Tag } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { deleteProvider, providerAgentsQuery, providerQuery } from "@/lib/client/providers/provider-queries";
import { useProviderChange, useProviderRefresh, useProviderTest } from "@/lib/client/providers/use-providers";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Provider } from "@/lib/schema/provider";
import { LearnedTraits } from "./learned-traits";
import { ModelTable } from "./model-table";
import { ProviderFields } from "./provider-fields";
import { RenameProviderDialog } from "./rename-provider-dialog";
import { TestCard } from "./test-card";
import { UsedBy } from "./used-by";

/** One provider; `listed` is what the list knows of it, shown until the rest is loaded. */
export function ProviderDetail({ listed }: { listed: Provider }) {
  const detail = useQuery({ ...providerQuery(listed.id), placeholderData: listed });
  const provider = detail.data ?? listed;
  return (
    <section aria-label={provider.name} className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-auto">
        <DetailHead provider={provider} />
        <ProviderFields provider={provider} />
        <div aria-live="polite">
          {provider.problem && !provider.lastTest ? (
            <div className="mx-5 mb-4 max-sm:mx-4">
              <Notice status="failed" title="It can't be asked">
                {provider.problem}
              </Notice>
            </div>
          ) : null}
          <TestCard provider={provider} />
        </div>
        {provider.kind === "demo" ? null : <ModelTable provider={provider} />}
        <LearnedTraits provider={provider} />
        <UsedBy provider={provider} />
      </div>
      <footer className="flex min-h-7 shrink-0 items-center gap-2 border-t border-border px-4 py-1 text-xs text-muted">
        Deleting a provider keeps its runs, their tokens and their cost.
        {provider.updatedAt ? (
          <span className="ml-auto shrink-0">
            saved <Time at={provider.updatedAt} isInSentence />
          </span>
        ) : null}
      </footer>
    </section>
  );
}

function DetailHead({ provider }: { provider: Provider }) {
  const { id, name, isDefault } = provider;
  const { isTesting, test, cancel } = useProviderTest(id);
  return (
    <header className="flex flex-wrap items-center gap-2 px-5 pt-3.5 pb-2.5 max-sm:px-4">
      <Link
        href="/admin/models"
        aria-label="All providers"
        className={`${ICON_BUTTON} ${ICON_BUTTON_SIZES.sm} md:hidden`}
      >
        <ArrowLeft />
      </Link>
      <h2 className="min-w-0 truncate text-base font-medium">{name}</h2>
      <Tag mono>{id}</Tag>
      {isDefault ? <Tag>default</Tag> : null}
      <span className="flex-1" />
      {isTesting ? (
        <Button variant="ghost" onPress={cancel}>
          Cancel
        </Button>
      ) : null}
      <Button isPending={isTesting} onPress={test}>
        <Play aria-hidden className={isTesting ? "animate-breathe" : undefined} />
        {isTesting ? "Testing" : "Test"}
      </Button>
      {provider.source === "database" ? <ProviderMenu provider={provider} /> : null}
    </header>
  );
}

function ProviderMenu({ provider }: { provider: Provider }) {
  const { id, name, isDefault } = provider;
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const change = useProviderChange();
  const failed = (error: unknown) => showToast({ title: errorMessage(error), tone: "error" });
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        trigger={
          <IconButton label={`Actions for ${name}`}>
            <Ellipsis />
          </IconButton>
        }
        actions={[
          { id: "rename", label: "Rename", onAction: () => setOpen("rename") },
          {
            id: "default",
            label: "Make it the default",
            isDisabled: isDefault,
            onAction: () => change.mutate({ id, change: { isDefault: true } }, { onError: failed }),
          },
          { id: "delete", label: "Delete", isDanger: true, startsGroup: true, onAction: () => setOpen("delete") },
        ]}
      />
      {open === "rename" ? <RenameProviderDialog provider={provider} onClose={() => setOpen(null)} /> : null}
      <DeleteDialog provider={provider} isOpen={open === "delete"} onClose={() => setOpen(null)} />
    </>
  );
}

interface DeleteDialogProps {
  provider: Provider;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteDialog({ provider: { id, name }, isOpen, onClose }: DeleteDialogProps) {
  const router = useRouter();
  const refresh = useProviderRefresh();
  const agents = useQuery({ ...providerAgentsQuery(id), enabled: isOpen });
  const remove = useAction({
    mutationFn: () => deleteProvider(id),
    onSuccess: async () => {
      router.replace("/admin/models");
      await refresh();
      showToast({ title: `Deleted ${name}` });
    },
  });
  const names = (agents.data ?? []).map((agent) => agent.name).join(", ");
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirmLabel="Delete provider"
      isOpen={isOpen}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its key is gone for good; its runs keep their tokens and cost.
      {names === "" ? "" : ` ${names} ask it: their runs fail until they name another model.`}
    </ConfirmDialog>
  );
}
