"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { CheckList } from "@/components/ui/controls/check-list";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { Dialog } from "@/components/ui/overlays/dialog";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { groupsQuery } from "@/lib/client/users/group-queries";
import { apiKeysQuery, createApiKey } from "@/lib/client/users/user-queries";
import { Scope } from "@/lib/schema/users/user";

const SCOPE_WORDS: Record<Scope, string> = {
  read: "Read: look at threads, runs and traces",
  chat: "Chat: start and cancel runs, upload files",
  admin: "Admin: everything your role allows",
};

const DAY_MS = 86_400_000;
const EXPIRIES = [
  { id: "30", name: "In 30 days" },
  { id: "90", name: "In 90 days" },
  { id: "365", name: "In a year" },
  { id: "never", name: "Never" },
];

const ALL = "all";
const SOME = "some";
const REACHES = [
  { id: ALL, name: "All that you may use" },
  { id: SOME, name: "Only those named here" },
];

const KeptKey = z.object({
  name: z.string(),
  chosen: z.array(Scope),
  expiry: z.string(),
  reach: z.string(),
  named: z.array(z.string()),
});

/** Creates a key and shows it, only this once. A reload keeps what was typed before. */
export function AddKeyDialog({ scopes, onClose }: { scopes: readonly Scope[]; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { form, set, forget } = useKeptForm("new-key", KeptKey, {
    name: "",
    expiry: "90",
    reach: ALL,
    named: [],
    chosen: scopes.filter((scope) => scope !== "admin"),
  });
  const { name, chosen, expiry, reach, named } = form;
  const agents = useQuery(agentListQuery);
  const groups = useQuery({ ...groupsQuery, enabled: scopes.includes("admin") });
  const groupOptions = (groups.data ?? []).map(({ id, name: group }) => ({ id, name: `Those of the group ${group}` }));
  const create = useMutation({
    mutationFn: () =>
      createApiKey({
        name,
        scopes: chosen,
        ...(reach === SOME ? { agents: named } : {}),
        ...(groupOptions.some(({ id }) => id === reach) ? { groupId: reach } : {}),
        expiresAt: expiry === "never" ? null : new Date(serverNowMs() + Number(expiry) * DAY_MS).toISOString(),
      }),
    onSuccess: () => {
      forget();
      return queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey });
    },
  });
  const close = () => {
    forget();
    onClose();
  };
  if (create.data) return <NewKey apiKey={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title="Create an API key"
      size="sm"
      submitLabel="Create key"
      isValid={name.trim() !== "" && chosen.length > 0 && (reach !== SOME || named.length > 0)}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate()}
      onClose={close}
    >
      <TextField
        label="Name"
        placeholder="Which program uses it"
        value={name}
        onChange={(text) => set({ name: text })}
        autoFocus
      />
      <CheckList
        label="What it may do"
        options={scopes.map((scope) => ({ id: scope, name: SCOPE_WORDS[scope] }))}
        value={chosen}
        onChange={(ids) => set({ chosen: scopes.filter((scope) => ids.includes(scope)) })}
      />
      <Select
        label="Agents it may use"
        options={[...REACHES, ...groupOptions]}
        value={reach}
        onChange={(id) => set({ reach: id })}
      />
      {reach === SOME ? (
        <CheckList
          label="These agents"
          options={(agents.data ?? []).map(({ id, name: agentName }) => ({ id, name: agentName, hint: id }))}
          value={named}
          onChange={(ids) => set({ named: ids })}
        />
      ) : null}
      <Select label="Expires" options={EXPIRIES} value={expiry} onChange={(id) => set({ expiry: id })} />
    </FormDialog>
  );
}

function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Dialog
      title="Copy the key now"
      isOpen
      stays
      onClose={onClose}
      size="sm"
      actions={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p className="text-sm text-muted">It is shown only once. Anyone who has it can act as you, within its scopes.</p>
      <div className="mt-3 flex items-center gap-2 rounded-md border border-border bg-code py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 text-xs break-all">{apiKey}</code>
        <CopyButton text={apiKey} label="Copy the key" size="sm" />
      </div>
    </Dialog>
  );
}
