"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Button } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { providersQuery } from "@/lib/client/chat/thread-queries";
import { classNames } from "@/lib/client/ui/class-names";
import type { Provider, ProviderList } from "@/lib/schema/provider";
import { AddProviderDialog } from "./add-provider-dialog";
import { ProviderDetail } from "./provider-detail";
import { ProviderListColumn, ProviderTrouble } from "./provider-list";

/** The providers of models, their settings, and what their models cost. */
export function ProvidersPage() {
  const [{ provider: chosen, add, shadow }, setUrl] = useQueryStates({
    provider: parseAsString,
    /** Whether the dialog is open: lines that name the demo model link to it. */
    add: parseAsBoolean.withDefault(false),
    /** The id of the provider to replace with another one. */
    shadow: parseAsString,
  });
  const list = useQuery(providersQuery);
  const openDialog = () => void setUrl({ add: true, shadow: null });
  const shadowed = list.data?.providers.find(({ id }) => id === shadow) ?? null;
  return (
    <Page>
      <PageHead
        title="Models"
        facts={<span className="truncate text-xs text-muted max-md:hidden">{list.data ? factsOf(list.data) : ""}</span>}
        actions={
          <Button variant="primary" onPress={openDialog}>
            <Plus aria-hidden />
            Add provider
          </Button>
        }
      />
      <QueryState what="providers" query={list}>
        {(found) => <Columns list={found} chosen={chosen} onAdd={openDialog} />}
      </QueryState>
      {add ? (
        <AddProviderDialog
          shadowed={shadowed}
          onClose={() => void setUrl({ add: null, shadow: null })}
          onAdded={(id) => void setUrl({ provider: id, add: null, shadow: null })}
        />
      ) : null}
    </Page>
  );
}

interface ColumnsProps {
  list: ProviderList;
  /** The id in the URL. */
  chosen: string | null;
  onAdd: () => void;
}

/** The list beside the provider; on a phone one of the two. */
function Columns({ list, chosen, onAdd }: ColumnsProps) {
  const { providers } = list;
  const picked = providers.find(({ id }) => id === chosen) ?? null;
  const real = providers.filter(({ kind }) => kind !== "demo");
  const shown: Provider | null = picked ?? real[0] ?? null;
  return (
    <div className="flex min-h-0 flex-1">
      <div
        className={classNames(
          "flex w-[296px] shrink-0 flex-col border-r border-border bg-background max-md:w-full max-md:border-r-0 max-md:bg-surface",
          picked && "max-md:hidden",
        )}
      >
        <ProviderTrouble providers={providers} />
        <ProviderListColumn list={list} shownId={shown?.id ?? null} />
      </div>
      <div className={classNames("flex min-h-0 min-w-0 flex-1 flex-col", !picked && "max-md:hidden")}>
        {shown ? (
          <ProviderDetail key={shown.id} listed={shown} />
        ) : (
          <EmptyState title="No model is connected" actions={<Button onPress={onAdd}>Add provider</Button>}>
            A small rule-based demo model answers until then. Connect OpenAI, Anthropic, Google, a server of your own,
            or Ollama on this machine.
          </EmptyState>
        )}
      </div>
    </div>
  );
}

function factsOf({ providers }: ProviderList): string {
  const real = providers.filter(({ kind }) => kind !== "demo");
  const models = real.reduce((sum, { offered }) => sum + offered.length, 0);
  return `${real.length === 1 ? "1 provider" : `${real.length} providers`} and the demo · ${models === 1 ? "1 model" : `${models} models`} on`;
}
