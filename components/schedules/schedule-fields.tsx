"use client";
import { CheckList } from "@/components/ui/controls/check-list";
import { RadioList } from "@/components/ui/controls/radio-list";
import { Select } from "@/components/ui/controls/select";
import { TextField } from "@/components/ui/controls/text-field";
import { OWN_WAYS, type ScheduleForm, waysOf, withWays } from "@/lib/client/schedules/schedule-form";

const OVERLAPS = [
  { id: "skip", name: "Skip this time and show it in the history" },
  { id: "queue", name: "Let the new one queue until the old one ends." },
  { id: "cancel_previous", name: "Cancel the old one and start the new one." },
] as const;
const MISSED = [
  { id: "run_once", name: "Run once when it is back." },
  { id: "skip", name: "Skip it and show it in the history" },
] as const;
const ASKS = [
  { id: "wait", name: "Wait for me: in the inbox, and by notification." },
  { id: "deny", name: "Deny it at once and let the agent continue without it." },
] as const;
const THREADS = [
  { id: "new", name: "New thread each time" },
  { id: "same", name: "One thread for all" },
] as const;

interface ScheduleFieldsProps extends RuleFieldsProps {
  /** Its words are checked with the server once typing rests. */
  /** What was understood of them. */
  readBack: string;
  isNew: boolean;
  agents: readonly { readonly id: string; readonly name: string }[];
  isWatcherMissing: boolean;
}

/** What runs, when, and by which rules. */
export function ScheduleFields({ form, set, problem, readBack, isNew, agents, isWatcherMissing }: ScheduleFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => set({ name })}
        autoFocus={isNew}
        {...problem("name")}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Select
          label="Agent"
          options={[
            ...agents.map(({ id, name }) => ({ id, name, description: id })),
            ...(isWatcherMissing ? [{ id: "page-watcher", name: "Page watcher", description: "made with it" }] : []),
          ]}
          value={form.agentId}
          onChange={(agentId) => set({ agentId })}
          isDisabled={!isNew}
        />
        <Select
          label="Thread"
          options={threadOptions(form.thread)}
          value={form.thread}
          onChange={(thread) => set({ thread })}
        />
      </div>
      <TaskField form={form} set={set} problem={problem} />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <TextField
          label="When"
          value={form.when}
          onChange={(when) => set({ when })}
          placeholder="every weekday at 9"
          description={<span aria-live="polite">{readBack}</span>}
          {...problem("when", "cron", "every", "at")}
        />
        <TextField
          label="Time zone"
          value={form.timezone ?? ""}
          onChange={(timezone) => set({ timezone })}
          placeholder="Europe/Berlin"
          {...problem("timezone")}
        />
      </div>
      <RuleFields form={form} set={set} problem={problem} />
    </>
  );
}

interface RuleFieldsProps {
  form: ScheduleForm;
  set: (change: Partial<ScheduleForm>) => void;
  problem: (...fields: string[]) => { isInvalid: boolean; errorMessage: string | undefined };
}

/** What the agent is to do: a prompt, or for the template the page that it watches. */
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
      description="The agent keeps the last state in a file and reports only what has changed."
      {...problem("page", "prompt")}
    />
  );
}

function RuleFields({ form, set, problem }: RuleFieldsProps) {
  return (
    <>
      <RadioList
        label="When the previous run is still going"
        options={OVERLAPS}
        value={form.overlap}
        onChange={(overlap) => set({ overlap })}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <RadioList
          label="When the server was away"
          options={MISSED}
          value={form.missed}
          onChange={(missed) => set({ missed })}
        />
        <TextField
          label="Max lateness"
          className="w-[88px]"
          isDisabled={form.missed === "skip"}
          value={form.grace}
          onChange={(grace) => set({ grace })}
          placeholder="6h"
          {...problem("grace")}
        />
      </div>
      <RadioList
        label="When a call asks while you are away"
        options={ASKS}
        value={form.onAsk}
        onChange={(onAsk) => set({ onAsk })}
      />
      <CheckList
        label="When it ends"
        options={OWN_WAYS}
        value={waysOf(form)}
        onChange={(ways) => set({ deliver: withWays(form, ways) })}
      />
      <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
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
