"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useShell } from "@/components/shell/shell-context";
import { CheckListField } from "@/components/ui/form/check-list-field";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import { ALERTS_KEY } from "@/lib/client/http/query-keys";
import { notificationsQuery } from "@/lib/client/notifications/notification-queries";
import {
  type AlertForm,
  AlertFormSchema,
  alertField,
  alertForm,
  CHAT,
  EMAIL,
  metricsFor,
  newAlertForm,
  suggestedFor,
  windowOptions,
} from "@/lib/client/trace/alerts/alert-form";
import { createAlert, updateAlert } from "@/lib/client/trace/alerts/alert-queries";
import { showToast } from "@/lib/client/ui/toast-store";
import { webhooksQuery } from "@/lib/client/webhooks/webhook-queries";
import type { Alert } from "@/lib/schema/traces/alert";
import { metricName, valueLabel } from "@/lib/schema/traces/alert-labels";
import { AlertFilters } from "./alert-filters";

interface DialogProps {
  onClose: () => void;
}

/** Makes an alert on the runs under these filters. */
export function NewAlertDialog({ query, name = "", onClose }: DialogProps & { query: string; name?: string }) {
  const form = useForm({
    subject: `new-alert ${query}`,
    schema: AlertFormSchema,
    fieldOf: alertField,
    initial: { ...newAlertForm(query), name },
    save: createAlert,
    invalidates: [ALERTS_KEY],
    onSaved: ({ metric, value }) => {
      showToast({ title: `Alert set. Now: ${valueLabel(metric, value)}.` });
      onClose();
    },
  });
  return (
    <FormDialog form={form} title="Alert me" size="md" submitLabel="Set alert" onClose={onClose}>
      <Fields form={form} />
    </FormDialog>
  );
}

export function EditAlertDialog({ alert, onClose }: DialogProps & { alert: Alert }) {
  const { viewer } = useShell();
  const form = useForm({
    subject: `alert ${alert.id}`,
    schema: AlertFormSchema,
    fieldOf: alertField,
    // Only administrators send to a webhook: whoever is none any more keeps the rest.
    initial: { ...alertForm(alert), ...(viewer.role === "admin" ? {} : { webhook: "" }) },
    save: (body) => updateAlert(alert.id, body),
    invalidates: [ALERTS_KEY],
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title={`Edit ${alert.name}`} size="md" submitLabel="Save" onClose={onClose}>
      <Fields form={form} />
    </FormDialog>
  );
}

function Fields({ form }: { form: Form<AlertForm> }) {
  const { query, metric, window } = form.values;
  const { unit } = suggestedFor(metric);
  return (
    <>
      <Field of={form} name="name" label="Name" autoFocus />
      <SelectField
        of={form}
        name="metric"
        label="When"
        options={metricsFor(query).map((id) => ({ id, name: metricName(id) }))}
        onChosen={(id) => {
          const metric = metricsFor(query).find((one) => one === id);
          if (metric === undefined) return;
          const suggested = suggestedFor(metric);
          form.set("threshold", suggested.threshold);
          form.set("window", suggested.window);
        }}
      />
      {unit === null ? null : <Field of={form} name="threshold" label={`Over, in ${unit}`} inputMode="decimal" />}
      {metric === "waiting" ? null : <SelectField of={form} name="window" label="In" options={windowOptions(window)} />}
      <p className="text-sm">
        <span className="block text-xs font-medium text-muted">Of</span>
        <AlertFilters query={query} />
      </p>
      <Targets form={form} />
    </>
  );
}

function Targets({ form }: { form: Form<AlertForm> }) {
  const { viewer } = useShell();
  const { data: told } = useQuery(notificationsQuery);
  const chosen = form.values.ways;
  const ways = [
    ...(told?.canMail || chosen.includes(EMAIL) ? [{ id: EMAIL, name: "Email", hint: told?.email ?? "" }] : []),
    ...(told?.chat || chosen.includes(CHAT) ? [{ id: CHAT, name: "Chat", hint: told?.chat?.chatName ?? "" }] : []),
  ];
  return (
    <>
      {ways.length === 0 ? null : <CheckListField of={form} name="ways" label="Also by" options={ways} />}
      {viewer.role === "admin" ? <WebhookField form={form} /> : null}
      <p className="text-xs text-muted">
        It is in your inbox in any case, and comes in the ways that you choose under{" "}
        <Link href="/settings/notifications" className="text-link underline underline-offset-2">
          Notifications
        </Link>
        : once when it begins, at most once an hour, and once when it has recovered.
      </p>
    </>
  );
}

const NO_WEBHOOK = { id: "", name: "None" };

function WebhookField({ form }: { form: Form<AlertForm> }) {
  const { data: webhooks = [] } = useQuery(webhooksQuery);
  const outgoing = webhooks.filter(({ direction }) => direction === "out");
  if (outgoing.length === 0 && form.values.webhook === "") return null;
  const options = [NO_WEBHOOK, ...outgoing.map(({ id, name }) => ({ id, name }))];
  return <SelectField of={form} name="webhook" label="Webhook" options={options} />;
}
