"use client";
import { CheckList } from "@/components/ui/controls/check-list";
import { Field } from "@/components/ui/form/field";
import { RadioListField } from "@/components/ui/form/radio-list-field";
import { SelectField } from "@/components/ui/form/select-field";
import type { Form } from "@/lib/client/forms/use-form";
import { OWN_WAYS, type ScheduleForm, waysOf, withWays } from "@/lib/client/schedules/schedule-form";

const OVERLAPS = [
  { id: "skip", name: "Skip this time and show it in the history" },
  { id: "queue", name: "Let the new one queue until the old one ends" },
  { id: "cancel_previous", name: "Cancel the old one and start the new one" },
] as const;
const MISSED = [
  { id: "run_once", name: "Run once when it is back" },
  { id: "skip", name: "Skip it and show it in the history" },
] as const;
const ASKS = [
  { id: "wait", name: "Wait for me: in the inbox, and by notification" },
  { id: "deny", name: "Deny it at once and let the agent continue without it" },
] as const;
const THREADS = [
  { id: "new", name: "New thread each time" },
  { id: "same", name: "One thread for all" },
] as const;

interface ScheduleFieldsProps extends FieldsProps {
  /** What was understood of the words of its time. */
  readBack: string;
  isNew: boolean;
  /** Undefined while they are being loaded. */
  agents: readonly { readonly id: string; readonly name: string }[] | undefined;
  isWatcherMissing: boolean;
}

/** What runs, when, and by which rules. */
export function ScheduleFields({ form, readBack, isNew, agents, isWatcherMissing }: ScheduleFieldsProps) {
  const watcher = { id: "page-watcher", name: "Page watcher", description: "made with it" };
  return (
    <>
      <Field of={form} name="name" label="Name" autoFocus={isNew} />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <SelectField
          of={form}
          name="agentId"
          label="Agent"
          options={agents
            ?.map(({ id, name }) => ({ id, name, description: id }))
            .concat(isWatcherMissing ? [watcher] : [])}
          isDisabled={!isNew}
        />
        <SelectField of={form} name="thread" label="Thread" options={threadOptions(form.values.thread)} />
      </div>
      <TaskField form={form} />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <Field
          of={form}
          name="when"
          label="When"
          placeholder="every weekday at 9"
          description={<span aria-live="polite">{readBack}</span>}
        />
        <Field of={form} name="timezone" label="Time zone" placeholder="Europe/Berlin" />
      </div>
      <RuleFields form={form} />
    </>
  );
}

interface FieldsProps {
  form: Form<ScheduleForm>;
}

/** What the agent is to do: a prompt, or for the template the page that it watches. */
function TaskField({ form }: FieldsProps) {
  if (form.values.page === null) return <Field of={form} name="prompt" label="Prompt" rows={4} />;
  return (
    <Field
      of={form}
      name="page"
      label="Page"
      type="url"
      inputMode="url"
      placeholder="https://example.org/news"
      description="The agent keeps the last state in a file and reports only what has changed."
    />
  );
}

function RuleFields({ form }: FieldsProps) {
  const { missed, deliver } = form.values;
  return (
    <>
      <RadioListField of={form} name="overlap" label="When the previous run is still going" options={OVERLAPS} />
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <RadioListField of={form} name="missed" label="When the server was away" options={MISSED} />
        <Field
          of={form}
          name="grace"
          label="Max lateness"
          className="w-[88px]"
          isDisabled={missed === "skip"}
          placeholder="6h"
        />
      </div>
      <RadioListField of={form} name="on_ask" label="When a call asks while you are away" options={ASKS} />
      <CheckList
        label="When it ends"
        options={OWN_WAYS}
        value={waysOf(deliver)}
        onChange={(ways) => form.set("deliver", withWays(deliver, ways))}
      />
      <div className="grid grid-cols-3 gap-3 max-sm:grid-cols-1">
        <Field of={form} name="budget.run_usd" label="US dollars per run" inputMode="decimal" placeholder="No limit" />
        <Field of={form} name="budget.day_usd" label="US dollars per day" inputMode="decimal" placeholder="No limit" />
        <Field of={form} name="pause_after_failures" label="Pause after failures" inputMode="numeric" />
      </div>
    </>
  );
}

function threadOptions(thread: string) {
  return THREADS.some(({ id }) => id === thread) ? THREADS : [...THREADS, { id: thread, name: "The chosen thread" }];
}
