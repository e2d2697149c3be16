"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Select } from "@/components/ui/controls/select";
import { Switch } from "@/components/ui/controls/switch";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { type CheckForm, formOf, HeartbeatForm, problemsOf, toChange } from "@/lib/client/heartbeats/heartbeat-form";
import { createHeartbeat, heartbeatsQuery, updateHeartbeat } from "@/lib/client/heartbeats/heartbeat-queries";
import { everyMs, pauseWords } from "@/lib/client/heartbeats/heartbeat-words";
import { ApiError } from "@/lib/client/http/api";
import { formatMoney } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useKeptForm } from "@/lib/client/ui/use-kept-form";
import type { Heartbeat, OfferedHeartbeat } from "@/lib/schema/triggers/heartbeat";

interface AddDialogProps {
  offered: readonly OfferedHeartbeat[];
  /** Ids of the agents for which the viewer already has a heartbeat. */
  taken: readonly string[];
  onAdded: (heartbeat: Heartbeat) => void;
  onClose: () => void;
}

/** An agent to look after things; its config says how often, which can be changed afterwards. */
export function AddHeartbeatDialog({ offered, taken, onAdded, onClose }: AddDialogProps) {
  const queryClient = useQueryClient();
  const { data } = useQuery(agentListQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const others = (data ?? []).filter(({ id }) => !taken.includes(id) && !offered.some(({ agentId }) => agentId === id));
  const options = [
    ...offered.map((one) => ({ id: one.agentId, name: one.agentName, description: paceWords(one) })),
    ...others.map(({ id, name }) => ({ id, name, description: paceWords({ every: "30m", dayUsd: 0.25 }) })),
  ];
  const agentId = chosen ?? options[0]?.id ?? null;
  const add = useMutation({
    mutationFn: (id: string) => createHeartbeat({ agentId: id }),
    onSuccess: (heartbeat) => {
      showToast({ title: `${heartbeat.agentName} looks after things now` });
      void queryClient.invalidateQueries({ queryKey: heartbeatsQuery.queryKey });
      onAdded(heartbeat);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Add heartbeat"
      submitLabel="Turn on"
      isValid={agentId !== null}
      isPending={add.isPending}
      error={add.error}
      onSubmit={() => agentId !== null && add.mutate(agentId)}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        The agent looks after what HEARTBEAT.md says, and tells you when something is new. While the file names nothing,
        no model is called.
      </p>
      <Select label="Agent" options={options} value={agentId} onChange={setChosen} />
      {data !== undefined && options.length === 0 ? (
        <p className="text-sm text-muted">You already have a heartbeat for every agent you can use.</p>
      ) : null}
    </FormDialog>
  );
}

function paceWords({ every, dayUsd }: Pick<OfferedHeartbeat, "every" | "dayUsd">): string {
  const most = dayUsd === null ? "" : `, at most ${formatMoney(dayUsd)} a day`;
  return `looks every ${pauseWords(everyMs({ every }))}${most}`;
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
  const queryClient = useQueryClient();
  const { form, set, forget } = useKeptForm(`heartbeat ${heartbeat.id}`, HeartbeatForm, formOf(heartbeat));
  const [isChecked, setChecked] = useState(false);
  const close = () => {
    forget();
    onClose();
  };
  const save = useMutation({
    mutationFn: () => updateHeartbeat(heartbeat.id, toChange(form)),
    onSuccess: () => {
      showToast({ title: "Heartbeat saved" });
      void queryClient.invalidateQueries({ queryKey: heartbeatsQuery.queryKey });
      close();
    },
  });
  const own = problemsOf(form);
  const refused = problemsIn(save.error);
  const problem = (field: string) => {
    const message = refused.get(field) ?? (isChecked ? own[field] : undefined);
    return { isInvalid: message !== undefined, errorMessage: message };
  };
  return (
    <FormDialog
      title={`Heartbeat of ${heartbeat.agentName}`}
      size="lg"
      submitLabel="Save heartbeat"
      isPending={save.isPending}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={() => {
        setChecked(true);
        if (Object.keys(own).length === 0) save.mutate();
      }}
      onClose={close}
    >
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Every"
              autoFocus
              placeholder="30m"
              value={form.every}
              onChange={(every) => set({ every })}
              {...problem("every")}
            />
            <TextField
              label="Time zone"
              placeholder="user"
              description="user: your own"
              value={form.timezone}
              onChange={(timezone) => set({ timezone })}
              {...problem("timezone")}
            />
          </div>
          <HourFields form={form} set={set} message={problem("active").errorMessage} />
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="Budget per day, in dollars"
              placeholder="no limit"
              value={form.dayUsd}
              onChange={(dayUsd) => set({ dayUsd })}
              {...problem("budget.day_usd")}
            />
            <TextField
              label="Steps per beat, at most"
              value={form.steps}
              onChange={(steps) => set({ steps })}
              {...problem("max_steps")}
            />
            <TextField
              label="Pause when idle"
              placeholder="never"
              value={form.idleDays}
              onChange={(idleDays) => set({ idleDays })}
              {...problem("idle_pause_days")}
            />
            <TextField
              label="Model"
              placeholder={heartbeat.agentModel ?? "the default"}
              value={form.model}
              onChange={(model) => set({ model })}
              {...problem("model")}
            />
          </div>
          <Select
            label="Says it in"
            options={form.deliver === "own" ? [...WAYS, OWN_WAY] : WAYS}
            value={form.deliver}
            onChange={(id) => set({ deliver: id as HeartbeatForm["deliver"] })}
          />
          <Select
            label="A call asks"
            options={ASKS}
            value={form.onAsk}
            onChange={(id) => set({ onAsk: id as HeartbeatForm["onAsk"] })}
          />
        </div>
        <CheckFields checks={form.when} onChange={(when) => set({ when: [...when] })} problem={problem} />
      </div>
    </FormDialog>
  );
}

interface HourFieldsProps {
  form: HeartbeatForm;
  set: (change: Partial<HeartbeatForm>) => void;
  message: string | undefined;
}

function HourFields({ form, set, message }: HourFieldsProps) {
  const isInvalid = message !== undefined;
  return (
    <div>
      <p className="flex items-center gap-2 text-sm">
        <Switch label="All day" isOn={form.isAllDay} onChange={(isAllDay) => set({ isAllDay })} />
        All day
      </p>
      {form.isAllDay ? null : (
        <div className="mt-2 grid grid-cols-2 gap-3">
          <TextField
            label="Active from"
            placeholder="08:00"
            pattern="([01]\d|2[0-3]):[0-5]\d"
            value={form.from}
            onChange={(from) => set({ from })}
            isInvalid={isInvalid}
            errorMessage={message}
          />
          <TextField
            label="Active until"
            placeholder="20:00"
            pattern="(([01]\d|2[0-3]):[0-5]\d|24:00)"
            value={form.to}
            onChange={(to) => set({ to })}
            isInvalid={isInvalid}
          />
        </div>
      )}
    </div>
  );
}

const KINDS = [
  { id: "file", name: "A file changed" },
  { id: "inbound", name: "I have written" },
  { id: "http", name: "An HTTP tool says yes" },
] as const;

const MOST_CHECKS = 10;

interface CheckFieldsProps {
  checks: readonly CheckForm[];
  onChange: (checks: readonly CheckForm[]) => void;
  problem: (field: string) => { isInvalid: boolean; errorMessage: string | undefined };
}

/** Checks without a model: any yes lets the beat call one. */
function CheckFields({ checks, onChange, problem }: CheckFieldsProps) {
  const replace = (index: number, change: Partial<CheckForm>) =>
    onChange(checks.map((check, place) => (place === index ? { ...check, ...change } : check)));
  return (
    <section aria-label="Only when" className="flex min-w-0 flex-col gap-3">
      <h3 className="text-sm font-medium">Only when</h3>
      <p className="text-xs text-muted">
        {checks.length === 0
          ? "Each beat in the active hours calls a model. A check here asks first, without one."
          : "Any yes lets the beat call a model."}
      </p>
      {checks.map((check, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: checks have no other name
        <div key={index} className="flex items-end gap-2">
          <div className="grid min-w-0 flex-1 grid-cols-2 gap-2 max-sm:grid-cols-1">
            <Select
              label={`Check ${index + 1}`}
              options={KINDS}
              value={check.kind}
              onChange={(kind) => replace(index, { kind: kind as CheckForm["kind"] })}
            />
            {check.kind === "inbound" ? null : (
              <TextField
                label={check.kind === "file" ? "Files" : "Tool"}
                mono
                placeholder={check.kind === "file" ? "inbox/**" : "ci_state"}
                value={check.value}
                onChange={(value) => replace(index, { value })}
                {...problem(`when.${index}.${check.kind}`)}
              />
            )}
            {check.kind === "http" ? (
              <TextField
                label="Arguments"
                mono
                className="col-span-full"
                placeholder="{}"
                value={check.args}
                onChange={(args) => replace(index, { args })}
                {...problem(`when.${index}.args`)}
              />
            ) : null}
          </div>
          <IconButton
            label={`Remove check ${index + 1}`}
            onPress={() => onChange(checks.filter((_, place) => place !== index))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {checks.length >= MOST_CHECKS ? null : (
        <Button className="self-start" onPress={() => onChange([...checks, { kind: "file", value: "", args: "" }])}>
          <Plus aria-hidden />
          Add a check
        </Button>
      )}
    </section>
  );
}

function problemsIn(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiError ? error.problems : new Map();
}
