"use client";
import { useQuery } from "@tanstack/react-query";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SegmentsField } from "@/components/ui/form/segments-field";
import { SelectField } from "@/components/ui/form/select-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { showToast } from "@/lib/client/ui/toast-store";
import { ChangedWebhook, formOf, NewWebhook, secretFor, type WebhookForm } from "@/lib/client/webhooks/webhook-form";
import { createWebhook, updateWebhook, WEBHOOKS_KEY } from "@/lib/client/webhooks/webhook-queries";
import {
  type CreatedWebhook,
  type CreateWebhookBody,
  type UpdateWebhookBody,
  type Webhook,
  WebhookEvent,
} from "@/lib/schema/webhooks/webhook";
import { RunAsField } from "./run-as-field";

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
] as const;

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
  form: Form<WebhookForm>;
  isNew: boolean;
  /** The name of the person whose rights its runs have. */
  storedName: string | null;
}

/** Edits what a webhook does. */
export function WebhookDialog({ webhook, onClose, onCreated }: WebhookDialogProps) {
  const form = useForm({
    subject: `webhook ${webhook?.id ?? "new"}`,
    schema: webhook === null ? NewWebhook : ChangedWebhook,
    initial: formOf(webhook),
    save: (body: CreateWebhookBody | UpdateWebhookBody) => saveWebhook(webhook, body),
    invalidates: [WEBHOOKS_KEY],
    onSaved: (created) => {
      if (created !== null) onCreated?.(created);
      // A new one shows its secret instead, which a toast would cover on a phone.
      if (webhook !== null) showToast({ title: "Webhook saved" });
      onClose();
    },
  });
  const storedName = webhook?.direction === "in" ? webhook.runAsName : null;
  const fields = { form, storedName, isNew: webhook === null };
  return (
    <FormDialog
      form={form}
      title={webhook === null ? "New webhook" : webhook.name}
      size="md"
      submitLabel={webhook === null ? "Create webhook" : "Save webhook"}
      onClose={onClose}
    >
      {webhook === null ? (
        <SegmentsField of={form} name="direction" label="Direction" isFull options={DIRECTIONS} />
      ) : null}
      <Field of={form} name="name" label="Name" autoFocus />
      {form.values.direction === "in" ? <IncomingFields {...fields} /> : <OutgoingFields {...fields} />}
    </FormDialog>
  );
}

/** With the secret, if it has a new one. */
async function saveWebhook(
  webhook: Webhook | null,
  body: CreateWebhookBody | UpdateWebhookBody,
): Promise<CreatedWebhook | null> {
  if ("direction" in body) return createWebhook(body);
  if (webhook === null) return null;
  const { secret } = secretFor(body, webhook);
  const changed = await updateWebhook(webhook.id, { ...body, ...(secret === undefined ? {} : { secret }) });
  return secret === undefined ? null : { ...changed, secret };
}

function useAgentOptions() {
  const { data } = useQuery(agentListQuery);
  return data?.map(({ id, name }) => ({ id, name, description: id }));
}

function IncomingFields({ form, isNew, storedName }: FieldsProps) {
  const { signature, runAs } = form.values;
  return (
    <>
      <SelectField of={form} name="agentId" label="Agent" options={useAgentOptions()} placeholder="Choose an agent" />
      <Field
        of={form}
        name="prompt"
        label="Prompt"
        rows={3}
        description="{{/issue/title}} stands for that value of the body. The whole body follows as data."
      />
      {isNew ? <SelectField of={form} name="signature" label="How requests are signed" options={SIGNATURES} /> : null}
      {signature === "hmac" ? <Field of={form} name="header" label="Header of the signature" /> : null}
      {signature === "standard" ? null : (
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <SelectField of={form} name="repeats" label="The same body again" options={REPEATS} />
          <Field of={form} name="repeatWindow" label="Told apart by a delivery id for" />
        </div>
      )}
      <RunAsField form={form} storedName={storedName} />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <SelectField of={form} name="thread" label="Thread" options={THREADS} />
        <Field of={form} name="rate_per_minute" label="Requests per minute" inputMode="numeric" />
        <Field of={form} name="budget.run_usd" label="US dollars per run" inputMode="decimal" placeholder="No limit" />
        <Field of={form} name="budget.day_usd" label="US dollars per day" inputMode="decimal" placeholder="No limit" />
      </div>
      <SelectField
        of={form}
        name="on_ask"
        label="When a call needs an approval"
        options={runAs === "" ? ASKS.slice(0, 1) : ASKS}
      />
    </>
  );
}

function OutgoingFields({ form }: FieldsProps) {
  const agents = [{ id: ALL, name: "All agents" }, ...(useAgentOptions() ?? [])];
  return (
    <>
      <Field of={form} name="url" label="Address" placeholder="https://desk.example.net/hooks" />
      <CheckListField
        of={form}
        name="events"
        label="Events"
        options={WebhookEvent.options.map((type) => ({ id: type, name: type }))}
      />
      <SelectField of={form} name="agentId" label="Of which agent" options={agents} />
    </>
  );
}
