"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { z } from "zod";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Field } from "@/components/ui/form/field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { SelectField } from "@/components/ui/form/select-field";
import { SwitchField } from "@/components/ui/form/switch-field";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { type Form, useForm } from "@/lib/client/forms/use-form";
import {
  formOf,
  HeartbeatChange,
  type HeartbeatForm,
  heartbeatField,
  NEW_CHECK,
} from "@/lib/client/heartbeats/heartbeat-form";
import { everyMs, pauseText } from "@/lib/client/heartbeats/heartbeat-labels";
import { createHeartbeat, heartbeatsQuery, updateHeartbeat } from "@/lib/client/heartbeats/heartbeat-queries";
import { formatMoney } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Heartbeat, OfferedHeartbeat } from "@/lib/schema/triggers/heartbeat";

interface AddDialogProps {
  offered: readonly OfferedHeartbeat[];
  /** Ids of the agents for which the viewer already has a heartbeat. */
  taken: readonly string[];
  onAdded: (heartbeat: Heartbeat) => void;
  onClose: () => void;
}

const ChosenAgent = z.object({ agentId: z.string() });

/** An agent to look after things; its config says how often, which can be changed afterwards. */
export function AddHeartbeatDialog({ offered, taken, onAdded, onClose }: AddDialogProps) {
  const { data } = useQuery(agentListQuery);
  const others = (data ?? []).filter(({ id }) => !taken.includes(id) && !offered.some(({ agentId }) => agentId === id));
  const options = [
    ...offered.map((one) => ({ id: one.agentId, name: one.agentName, description: paceText(one) })),
    ...others.map(({ id, name }) => ({ id, name, description: paceText({ every: "30m", dayUsd: 0.25 }) })),
  ];
  const first = options[0]?.id ?? "";
  const form = useForm({
    schema: ChosenAgent,
    initial: { agentId: "" },
    // Until one is chosen it is the first, which may not be known yet as the dialog opens.
    save: ({ agentId }) => createHeartbeat({ agentId: agentId || first }),
    invalidates: [heartbeatsQuery.queryKey],
    onSaved: (heartbeat) => {
      showToast({ title: `${heartbeat.agentName} looks after things now` });
      onAdded(heartbeat);
      onClose();
    },
  });
  return (
    <FormDialog form={form} title="Add heartbeat" submitLabel="Turn on" isValid={first !== ""} onClose={onClose}>
      <p className="text-sm text-muted">
        The agent looks after what HEARTBEAT.md says, and tells you when something is new. While the file names nothing,
        no model is called.
      </p>
      <Select
        label="Agent"
        options={options}
        value={form.values.agentId || first || null}
        onChange={(id) => form.set("agentId", id)}
      />
      {data !== undefined && options.length === 0 ? (
        <p className="text-sm text-muted">You already have a heartbeat for every agent you can use.</p>
      ) : null}
    </FormDialog>
  );
}

function paceText({ every, dayUsd }: Pick<OfferedHeartbeat, "every" | "dayUsd">): string {
  const most = dayUsd === null ? "" : `, at most ${formatMoney(dayUsd)} a day`;
  return `looks every ${pauseText(everyMs({ every }))}${most}`;
}

const ASKS = [
  { id: "deny", name: "Deny it at once and let the agent continue without it" },
  { id: "wait", name: "Wait for me in the inbox" },
] as const;

const WAYS = [
  { id: "last", name: "The chat used last, or a notification" },
  { id: "thread", name: "Its thread only" },
  { id: "email", name: "Its thread, and an email" },
] as const;

const OWN_WAY = { id: "own", name: "As its list says" } as const;

interface EditDialogProps {
  heartbeat: Heartbeat;
  onClose: () => void;
}

/** A heartbeat's interval, hours, limits, and the checks before it calls a model. */
export function EditHeartbeatDialog({ heartbeat, onClose }: EditDialogProps) {
  const form = useForm({
    subject: `heartbeat ${heartbeat.id}`,
    schema: HeartbeatChange,
    fieldOf: heartbeatField,
    initial: formOf(heartbeat),
    save: (change) => updateHeartbeat(heartbeat.id, change),
    invalidates: [heartbeatsQuery.queryKey],
    onSaved: () => {
      showToast({ title: "Heartbeat saved" });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Heartbeat of ${heartbeat.agentName}`}
      size="lg"
      submitLabel="Save heartbeat"
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <div className="grid grid-cols-2 gap-3">
            <Field of={form} name="every" label="Every" autoFocus placeholder="30m" />
            <Field of={form} name="timezone" label="Time zone" placeholder="user" description="user: your own" />
          </div>
          <SwitchField of={form} name="isAllDay" label="All day" />
          {form.values.isAllDay ? null : (
            <div className="grid grid-cols-2 gap-3">
              <Field of={form} name="from" label="Active from" placeholder="08:00" />
              <Field of={form} name="to" label="Active until" placeholder="20:00" />
            </div>
          )}
          <div className="grid grid-cols-2 gap-3">
            <Field of={form} name="budget.day_usd" label="Budget per day, in dollars" placeholder="no limit" />
            <Field of={form} name="max_steps" label="Steps per beat, at most" />
            <Field of={form} name="idle_pause_days" label="Pause when idle" placeholder="never" />
            <Field of={form} name="model" label="Model" placeholder={heartbeat.agentModel ?? "the default"} />
          </div>
          <SelectField
            of={form}
            name="deliver"
            label="Says it in"
            options={form.values.deliver === "own" ? [...WAYS, OWN_WAY] : WAYS}
          />
          <SelectField of={form} name="on_ask" label="A call asks" options={ASKS} />
        </div>
        <CheckFields form={form} />
      </div>
    </FormDialog>
  );
}

const KINDS = [
  { id: "file", name: "A file changed" },
  { id: "inbound", name: "I have written" },
  { id: "http", name: "An HTTP tool says yes" },
] as const;

const MOST_CHECKS = 10;

/** Checks without a model: any yes lets the beat call one. */
function CheckFields({ form }: { form: Form<HeartbeatForm> }) {
  const checks = form.values.when;
  return (
    <section aria-label="Only when" className="flex min-w-0 flex-col gap-3">
      <h3 className="text-sm font-medium">Only when</h3>
      <p className="text-xs text-muted">
        {checks.length === 0
          ? "Each beat in the active hours calls a model. A check here asks first, without one."
          : "Any yes lets the beat call a model."}
      </p>
      {checks.map(({ kind }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: checks have no other name
        <div key={index} className="flex items-end gap-2">
          <div className="grid min-w-0 flex-1 grid-cols-2 gap-2 max-sm:grid-cols-1">
            <SelectField
              of={form}
              name={`when.${index}.kind`}
              label={`Check ${index + 1}`}
              options={KINDS}
              onChosen={() => form.set(`when.${index}.args`, "")}
            />
            {kind === "inbound" ? null : (
              <Field
                of={form}
                name={`when.${index}.value`}
                label={kind === "file" ? "Files" : "Tool"}
                mono
                placeholder={kind === "file" ? "inbox/**" : "ci_state"}
              />
            )}
            {kind === "http" ? (
              <Field
                of={form}
                name={`when.${index}.args`}
                label="Arguments"
                mono
                className="col-span-full"
                placeholder="{}"
              />
            ) : null}
          </div>
          <IconButton label={`Remove check ${index + 1}`} onPress={() => form.set("when", checks.toSpliced(index, 1))}>
            <X />
          </IconButton>
        </div>
      ))}
      {checks.length >= MOST_CHECKS ? null : (
        <Button className="self-start" onPress={() => form.set("when", [...checks, NEW_CHECK])}>
          <Plus aria-hidden />
          Add a check
        </Button>
      )}
    </section>
  );
}
