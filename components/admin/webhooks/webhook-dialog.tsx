"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CheckList } from "@/components/ui/controls/check-list";
import { Segments } from "@/components/ui/controls/segments";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import { formOf, toChange, toCreateBody, WebhookForm } from "@/lib/client/webhooks/webhook-form";
import { createWebhook, updateWebhook, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import { type CreatedWebhook, type Webhook, WebhookEvent } from "@/lib/schema/webhooks/webhook";
import { RunAsSelect } from "./run-as-select";

const DIRECTIONS = [
  { id: "in", name: "In: a request starts a run" },
  { id: "out", name: "Out: an event is sent" },
] as const;
const SIGNATURES = [
  { id: "standard", name: "Standard Webhooks" },
  { id: "github", name: "GitHub" },
  { id: "hmac", name: "Plain HMAC in a header" },
  { id: "none", name: "None: a bearer token" },
] as const;
const REPEATS = [
  { id: "known", name: "Is a repeat for 7 days" },
  { id: "allow", name: "Starts again after that time" },
];

const THREADS = [
  { id: "new", name: "New thread each time" },
  { id: "same", name: "One thread for all" },
] as const;
const ASKS = [
  { id: "deny", name: "Deny it at once and let the agent continue without it" },
  { id: "wait", name: "Wait for a decision in the inbox" },
] as const;
const ALL = "";

export interface WebhookDialogProps {
  /** Null for a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onCreated?: (created: CreatedWebhook) => void;
}

interface FieldsProps {
  form: WebhookForm;
  isNew: boolean;
  /** The name of the person whose rights its runs have. */
  storedName: string | null;
  set: (change: Partial<WebhookForm>) => void;
  problem: (field: string) => { isInvalid: boolean; errorMessage?: string };
}

/** Edits what a webhook does. */
export function WebhookDialog({ webhook, onClose, onCreated }: WebhookDialogProps) {
  const { form, set, forget } = useKeptForm(`webhook ${webhook?.id ?? "new"}`, WebhookForm, formOf(webhook));
  const close = () => {
    forget();
    onClose();
  };
  const save = useSave(webhook, { onClose: close, onCreated });
  const problems: ReadonlyMap<string, string> = save.error instanceof ApiError ? save.error.problems : new Map();
  const problem = (field: string) => {
    const errorMessage = problems.get(field);
    return errorMessage === undefined ? { isInvalid: false } : { isInvalid: true, errorMessage };
  };
  const storedName = webhook?.direction === "in" ? webhook.runAsName : null;
  const fields = { form, set, problem, storedName, isNew: webhook === null };
  return (
    <FormDialog
      title={webhook === null ? "New webhook" : webhook.name}
      size="md"
      submitLabel={webhook === null ? "Create webhook" : "Save webhook"}
      isPending={save.isPending}
      error={problems.size > 0 ? undefined : save.error}
      onSubmit={() => save.mutate(form)}
      onClose={close}
    >
      {webhook === null ? (
        <Segments
          label="Direction"
          isFull
          options={DIRECTIONS}
          value={form.direction}
          onChange={(id) => set({ direction: id === "out" ? "out" : "in" })}
        />
      ) : null}
      <TextField label="Name" value={form.name} onChange={(name) => set({ name })} autoFocus {...problem("name")} />
      {form.direction === "in" ? <IncomingFields {...fields} /> : <OutgoingFields {...fields} />}
    </FormDialog>
  );
}

function useSave(webhook: Webhook | null, { onClose, onCreated }: Omit<WebhookDialogProps, "webhook">) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (form: WebhookForm) => {
      if (webhook === null) {
        const created = await createWebhook(toCreateBody(form));
        onCreated?.(created);
        return;
      }
      const change = toChange(form, webhook);
      const changed = await updateWebhook(webhook.id, change);
      if (change.secret !== undefined) onCreated?.({ ...changed, secret: change.secret });
    },
    onSuccess: () => {
      // A new one shows its secret instead, which a toast would cover on a phone.
      if (webhook !== null) showToast({ title: "Webhook saved" });
      void queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY });
      onClose();
    },
  });
}

/** A list without options does not open: it is disabled until they are loaded. */
function useAgents() {
  const { data } = useQuery(agentListQuery);
  const options = (data ?? []).map(({ id, name }) => ({ id, name, description: id }));
  return { options, isDisabled: data === undefined };
}

function IncomingFields({ form, set, problem, isNew, storedName }: FieldsProps) {
  return (
    <>
      <Select
        label="Agent"
        {...useAgents()}
        value={form.agentId}
        placeholder="Choose an agent"
        onChange={(agentId) => set({ agentId })}
        {...problem("agentId")}
      />
      <TextField
        label="Prompt"
        rows={3}
        value={form.prompt}
        onChange={(prompt) => set({ prompt })}
        description="{{/issue/title}} stands for that value of the body. The whole body follows as data."
        {...problem("prompt")}
      />
      {isNew ? (
        <Select
          label="How requests are signed"
          options={SIGNATURES}
          value={form.signature}
          onChange={(signature) => set({ signature })}
        />
      ) : null}
      {form.signature === "hmac" ? (
        <TextField
          label="Header of the signature"
          value={form.header}
          onChange={(header) => set({ header })}
          {...problem("header")}
        />
      ) : null}
      {form.signature === "standard" ? null : (
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <Select
            label="The same body again"
            options={REPEATS}
            value={form.repeats}
            onChange={(repeats) => set({ repeats })}
          />
          <TextField
            label="Told apart by a delivery id for"
            value={form.repeatWindow}
            onChange={(repeatWindow) => set({ repeatWindow })}
            {...problem("repeatWindow")}
          />
        </div>
      )}
      <RunAsSelect
        value={form.runAs}
        storedName={storedName}
        onChange={(runAs) => set({ runAs, ...(runAs === null ? { onAsk: "deny" } : {}) })}
        {...problem("runAs")}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select label="Thread" options={THREADS} value={form.thread} onChange={(thread) => set({ thread })} />
        <TextField
          label="Requests per minute"
          inputMode="numeric"
          value={form.rate}
          onChange={(rate) => set({ rate })}
          {...problem("rate_per_minute")}
        />
        <TextField
          label="US dollars per run"
          inputMode="decimal"
          placeholder="No limit"
          value={form.runUsd}
          onChange={(runUsd) => set({ runUsd })}
          {...problem("budget.run_usd")}
        />
        <TextField
          label="US dollars per day"
          inputMode="decimal"
          placeholder="No limit"
          value={form.dayUsd}
          onChange={(dayUsd) => set({ dayUsd })}
          {...problem("budget.day_usd")}
        />
      </div>
      <Select
        label="When a call needs an approval"
        options={form.runAs === null ? ASKS.slice(0, 1) : ASKS}
        value={form.onAsk}
        onChange={(onAsk) => set({ onAsk })}
        {...problem("on_ask")}
      />
    </>
  );
}

function OutgoingFields({ form, set, problem }: FieldsProps) {
  const agents = [{ id: ALL, name: "All agents" }, ...useAgents().options];
  const { errorMessage } = problem("events");
  return (
    <>
      <TextField
        label="Address"
        value={form.url}
        placeholder="https://desk.example.net/hooks"
        onChange={(url) => set({ url })}
        {...problem("url")}
      />
      <CheckList
        label="Events"
        options={WebhookEvent.options.map((type) => ({ id: type, name: type }))}
        value={form.events}
        onChange={(events) => set({ events })}
        {...(errorMessage === undefined ? {} : { errorMessage })}
      />
      <Select
        label="Of which agent"
        options={agents}
        value={form.agentId ?? ALL}
        onChange={(id) => set({ agentId: id === ALL ? null : id })}
        {...problem("agentId")}
      />
    </>
  );
}
