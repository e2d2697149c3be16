"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { ApiError } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { notificationsQuery } from "@/lib/client/notifications/notification-queries";
import {
  choiceOf,
  formOf,
  OWN_WAYS,
  problemsOf,
  type ScheduleForm,
  type ScheduleStart,
  timeOf,
  toFields,
  waysOf,
  withChoice,
  withWays,
} from "@/lib/client/schedules/schedule-form";
import {
  createSchedule,
  preflightQuery,
  runPromptQuery,
  schedulesQuery,
  updateSchedule,
} from "@/lib/client/schedules/schedule-queries";
import { makePageWatcher, SCHEDULE_TEMPLATES } from "@/lib/client/schedules/schedule-templates";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { showToast } from "@/lib/client/ui/toast-store";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { type ScheduleTime, timeWords } from "@/lib/schema/triggers/time-words";
import { AsYaml } from "./as-yaml";
import { CallsThatAsk, NextRuns } from "./schedule-check";

const OVERLAPS = [
  { id: "skip", name: "Skip the new one, and say so in the strip" },
  { id: "queue", name: "Let the new one queue until the old one ends" },
  { id: "cancel_previous", name: "Cancel the old one and start the new one" },
] as const;
const MISSED = [
  { id: "run_once", name: "Run once when it is back" },
  { id: "skip", name: "Skip it, and say so in the strip" },
] as const;
const ASKS = [
  { id: "wait", name: "Wait for me in the inbox" },
  { id: "deny", name: "Deny it at once and let the agent continue without" },
] as const;
const THREADS = [
  { id: "new", name: "New thread each time" },
  { id: "same", name: "One thread for all" },
] as const;

/** A new schedule that asks a run's agent again what it was asked there. */
export function RunAgainDialog({ runId, onClose }: { runId: string; onClose: () => void }) {
  const run = useQuery(runPromptQuery(runId));
  if (run.isPending) return null;
  return <ScheduleDialog schedule={null} start={run.data ?? { prompt: "", agentId: null }} onClose={onClose} />;
}

interface ScheduleDialogProps {
  /** Null for a new one. */
  schedule: Schedule | null;
  start: ScheduleStart;
  onClose: () => void;
}

/** Edits when a schedule runs, and shows what will happen before it does. */
export function ScheduleDialog({ schedule, start, onClose }: ScheduleDialogProps) {
  const agents = useQuery(agentListQuery);
  const [written, setForm] = useState(() => formOf(schedule, start));
  const [isChecked, setChecked] = useState(false);
  const set = (change: Partial<ScheduleForm>) => setForm((form) => ({ ...form, ...change }));
  // Checked with the server once typing pauses.
  const when = useSettledText(written.when, (text) => set({ when: text }));
  const zone = useQuery({ ...notificationsQuery, enabled: schedule === null }).data?.timeZone;
  const form = {
    ...written,
    when: when.value,
    agentId: written.agentId ?? agents.data?.[0]?.id ?? null,
    timezone: written.timezone ?? zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const time = timeOf(form.when, schedule);
  const watcher = useMissingWatcher(form.agentId, agents.data);
  const preflight = useCheck(
    { ...form, agentId: watcher.isThere ? form.agentId : null },
    { schedule, time: timeOf(written.when, schedule) },
  );
  const save = useSave(schedule, watcher.isMissing, onClose);
  const own = problemsOf(form, time);
  const refused = problemsIn(save.error);
  const unchecked = problemsIn(preflight.error);
  const problem = (...fields: string[]) => {
    const found = fields.map(
      (field) => unchecked.get(field) ?? refused.get(field) ?? (isChecked ? own[field] : undefined),
    );
    const message = found.find((text) => text !== undefined);
    return { isInvalid: message !== undefined, errorMessage: message };
  };
  return (
    <FormDialog
      title={schedule === null ? "New schedule" : schedule.name}
      size="lg"
      submitLabel={schedule === null ? "Create schedule" : "Save schedule"}
      isPending={save.isPending}
      isValid={!watcher.isMissing || watcher.mayMake}
      error={refused.size > 0 ? undefined : save.error}
      onSubmit={() => {
        setChecked(true);
        if (Object.keys(own).length === 0) save.mutate({ form, time });
      }}
      onClose={onClose}
    >
      {watcher.isMissing ? (
        <p className="rounded-md bg-default px-2.5 py-1.5 text-sm">
          {watcher.mayMake
            ? "This makes the agent page-watcher too."
            : "Ask an administrator to make the agent page-watcher first, or choose an agent that has web_fetch."}
        </p>
      ) : null}
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-3">
          <TextField label="Name" value={form.name} onChange={(name) => set({ name })} autoFocus {...problem("name")} />
          <div className="grid grid-cols-2 gap-3">
            <Select
              label="Agent"
              options={[
                ...(agents.data ?? []).map(({ id, name }) => ({ id, name, description: id })),
                ...(watcher.isMissing
                  ? [{ id: "page-watcher", name: "Page watcher", description: "made with it" }]
                  : []),
              ]}
              value={form.agentId}
              onChange={(agentId) => set({ agentId })}
              isDisabled={schedule !== null}
            />
            <Select
              label="Thread"
              options={threadOptions(form.thread)}
              value={form.thread}
              onChange={(thread) => set({ thread })}
            />
          </div>
          <TaskField form={form} set={set} problem={problem} />
          <div className="grid grid-cols-2 gap-3">
            <TextField
              label="When"
              {...when}
              placeholder="every weekday at 9"
              description={<span aria-live="polite">{readBack(time)}</span>}
              {...problem("when", "cron", "every", "at")}
            />
            <TextField
              label="Time zone"
              value={form.timezone}
              onChange={(timezone) => set({ timezone })}
              placeholder="Europe/Berlin"
              {...problem("timezone")}
            />
          </div>
          <RuleFields form={form} set={set} problem={problem} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <NextRuns reply={preflight.data} />
          <CallsThatAsk
            reply={preflight.data}
            error={unchecked.size > 0 ? null : preflight.error}
            onCheck={() => void preflight.refetch()}
            choiceOf={(call) => choiceOf(form, call)}
            onChoose={(call, choice) => setForm((now) => withChoice(now, call, choice))}
          />
          <AsYaml fields={toFields(form, time)} before={schedule === null ? null : storedFields(schedule)} />
        </div>
      </div>
    </FormDialog>
  );
}

const WATCHER = SCHEDULE_TEMPLATES["watch-page"].agentId;

/** The template's agent may not exist yet: administrators create it with the schedule. */
function useMissingWatcher(agentId: string | null, agents: readonly { readonly id: string }[] | undefined) {
  const { viewer } = useShell();
  const isThere = agentId !== WATCHER || (agents?.some(({ id }) => id === WATCHER) ?? false);
  return { isThere, isMissing: agents !== undefined && !isThere, mayMake: viewer.scopes.includes("admin") };
}

function storedFields(schedule: Schedule) {
  const { cron, every, at } = schedule;
  return toFields(formOf(schedule, { prompt: "", agentId: null }), { cron, every, at });
}

function useCheck(
  { agentId, timezone }: ScheduleForm,
  { schedule, time }: { readonly schedule: Schedule | null; readonly time: ScheduleTime | null },
) {
  const known = schedule === null ? {} : { scheduleId: schedule.id };
  const zone = timezone === null ? {} : { timezone };
  return useQuery(preflightQuery(agentId === null || time === null ? null : { agentId, ...zone, ...time, ...known }));
}

interface Written {
  readonly form: ScheduleForm;
  readonly time: ScheduleTime | null;
}

function useSave(schedule: Schedule | null, makesWatcher: boolean, onClose: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ form, time }: Written) => {
      if (makesWatcher) await makePageWatcher();
      const fields = toFields(form, time);
      if (schedule === null) return createSchedule({ agentId: form.agentId ?? "", ...fields });
      return updateSchedule(schedule.id, schedule.fromConfig ? { allow: fields.allow } : fields);
    },
    onSuccess: () => {
      showToast({ title: schedule === null ? "Schedule created" : "Schedule saved" });
      void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey });
      if (makesWatcher) void queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
      onClose();
    },
  });
}

interface RuleFieldsProps {
  form: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problem: (...fields: string[]) => { isInvalid: boolean; errorMessage: string | undefined };
}

/** The agent's task: a prompt or, for the template, the page that it watches. */
function TaskField({ form, set, problem }: RuleFieldsProps) {
  if (form.page === null) {
    return (
      <TextField
        label="Prompt"
        rows={4}
        value={form.prompt}
        onChange={(prompt) => set({ prompt })}
        {...problem("prompt")}
      />
    );
  }
  return (
    <TextField
      label="Page"
      type="url"
      inputMode="url"
      placeholder="https://example.org/news"
      value={form.page}
      onChange={(page) => set({ page })}
      description="The agent keeps what it saw last in a file, and says only what has changed."
      {...problem("page", "prompt")}
    />
  );
}

function RuleFields({ form, set, problem }: RuleFieldsProps) {
  return (
    <>
      <Select
        label="When the last run has not ended"
        options={OVERLAPS}
        value={form.overlap}
        onChange={(id) => set({ overlap: OVERLAPS.find((one) => one.id === id)?.id ?? "skip" })}
      />
      <div className="grid grid-cols-[1fr_88px] gap-3">
        <Select
          label="When the server was away"
          options={MISSED}
          value={form.missed}
          onChange={(id) => set({ missed: MISSED.find((one) => one.id === id)?.id ?? "run_once" })}
        />
        <TextField
          label="If within"
          isDisabled={form.missed === "skip"}
          value={form.grace}
          onChange={(grace) => set({ grace })}
          placeholder="6h"
          {...problem("grace")}
        />
      </div>
      <Select
        label="When a call asks while you are away"
        options={ASKS}
        value={form.onAsk}
        onChange={(id) => set({ onAsk: ASKS.find((one) => one.id === id)?.id ?? "wait" })}
      />
      <CheckList
        label="When it ends"
        options={OWN_WAYS}
        value={waysOf(form)}
        onChange={(ways) => set({ deliver: withWays(form, ways) })}
      />
      <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
        <TextField
          label="US dollars a run"
          inputMode="decimal"
          placeholder="No limit"
          value={form.runUsd}
          onChange={(runUsd) => set({ runUsd })}
          {...problem("budget.run_usd")}
        />
        <TextField
          label="US dollars a day"
          inputMode="decimal"
          placeholder="No limit"
          value={form.dayUsd}
          onChange={(dayUsd) => set({ dayUsd })}
          {...problem("budget.day_usd")}
        />
        <TextField
          label="Pause after failures"
          inputMode="numeric"
          value={form.failures}
          onChange={(failures) => set({ failures })}
          {...problem("pause_after_failures")}
        />
      </div>
    </>
  );
}

function threadOptions(thread: string) {
  return THREADS.some(({ id }) => id === thread) ? THREADS : [...THREADS, { id: thread, name: "The chosen thread" }];
}

function problemsIn(error: unknown): ReadonlyMap<string, string> {
  return error instanceof ApiError ? error.problems : new Map();
}

function readBack(time: ScheduleTime | null): string {
  if (time === null) return "Words, or a cron pattern.";
  const words = timeWords(time);
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return time.cron === undefined || words === time.cron ? text : `${text} · ${time.cron}`;
}
