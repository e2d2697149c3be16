"use client";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { ListCrumb } from "@/components/admin/list-crumb";
import { MadeByKeyLine } from "@/components/shell/made-by-key";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Segments } from "@/components/ui/controls/segments";
import { FormError } from "@/components/ui/form/form-notices";
import { Notice } from "@/components/ui/states/notice";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { refusedFields } from "@/lib/client/forms/problems";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { Form } from "@/lib/client/forms/use-form";
import {
  changedFields,
  choiceOf,
  type ScheduleForm,
  type ScheduleStart,
  scheduleField,
  storedFields,
  storedForm,
  timeOf,
  toFields,
  withChoice,
  withDefaults,
} from "@/lib/client/schedules/schedule-form";
import { classNames } from "@/lib/client/ui/class-names";
import { useSettled } from "@/lib/client/ui/input/use-settled";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { type ScheduleTime, timeLabel } from "@/lib/schema/triggers/schedule-time";
import { AsYaml } from "./as-yaml";
import { PastRuns } from "./past-runs";
import { CallsThatAsk, NextRuns } from "./schedule-check";
import { ScheduleFields } from "./schedule-fields";
import { useCheck, useMissingWatcher, useRunNow, useScheduleDefaults, useScheduleForm } from "./use-schedule-editor";

const PARTS = [
  { id: "form", name: "Schedule" },
  { id: "check", name: "Check" },
  { id: "yaml", name: "YAML" },
  { id: "runs", name: "Past runs" },
] as const;
type Part = (typeof PARTS)[number]["id"];

const PAGE_KEYS = [
  { keys: "⌘S", does: "Save" },
  { keys: "⌘Enter", does: "Run now, as it is saved" },
] as const;

export interface ScheduleEditorProps {
  /** Null for a new one. */
  schedule: Schedule | null;
  /** What the form is about, for what a reload keeps. */
  subject: string;
  start: ScheduleStart;
}

/** Says when, and shows what will happen before it happens. */
export function ScheduleEditor({ schedule, subject, start }: ScheduleEditorProps) {
  const agents = useQuery(agentListQuery).data;
  const defaults = useScheduleDefaults(schedule === null, agents);
  const form = useScheduleForm({ schedule, start, subject }, defaults, agents);
  const values = withDefaults(form.values, defaults);
  const [part, setPart] = usePart(form);
  // Checked with the server once typing pauses; the form keeps every letter.
  const checkedWhen = useSettled(values.when);
  const { fromConfig = false, apiKey = null } = schedule ?? {};
  const time = timeOf(values.when, schedule);
  const watcher = useMissingWatcher(values.agentId, agents);
  const preflight = useCheck(
    { ...values, agentId: watcher.isThere ? values.agentId : null },
    { schedule, time: timeOf(checkedWhen, schedule) },
  );
  const run = useRunNow(schedule);
  const unchecked = [...refusedFields(preflight.error)].map(([path, text]) => [scheduleField(path), text] as const);
  const shown = { ...form, values, problems: new Map([...form.problems, ...unchecked]) };
  const isSavable = (schedule === null || form.changes > 0) && (!watcher.isMissing || watcher.mayMake);
  const attempt = useOneAtATime(form.isPending);
  const submit = () => {
    if (isSavable) attempt(form.submit);
  };
  const runNow = () => {
    if (schedule?.enabled && !run.isPending) run.mutate();
  };
  usePageKeys(PAGE_KEYS);
  useShortcuts({ "mod+s": submit, "mod+enter": runNow });
  return (
    <Page>
      <PageHead
        lead={<ListCrumb href="/automations/schedules">Schedules</ListCrumb>}
        title={schedule?.name ?? "New schedule"}
        facts={<Summary schedule={schedule} changed={form.changes} />}
        hasWideActions
        actions={
          <EditorActions
            schedule={schedule}
            mayDiscard={form.isDirty}
            onDiscard={form.discard}
            onRun={runNow}
            isStarting={run.isPending}
            onSave={submit}
            isSaving={form.isPending}
            maySave={isSavable}
          />
        }
      />
      <div className="flex justify-center border-b border-border p-2 lg:hidden">
        <Segments
          label="What is shown"
          isFull
          options={partsOf(schedule)}
          value={part}
          onChange={(id) => setPart(PARTS.find((one) => one.id === id)?.id ?? "form")}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-5 mt-4 empty:hidden max-sm:mx-3">
          <FormError form={form} />
        </div>
        <ChangedElsewhere isShown={isChangedElsewhere(form, schedule)} onTake={form.discard} />
        <div className="grid lg:grid-cols-[minmax(0,652px)_minmax(0,1fr)]">
          <form
            ref={useFirstProblem(form)}
            noValidate
            className={classNames("flex min-w-0 flex-col gap-4 px-5 py-4 max-sm:px-3", onlyWide(part !== "form"))}
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            {/* Enter in a field saves: without a button of its own a form of many fields would not. */}
            <button type="submit" hidden />
            <Hints watcher={watcher} isFromConfig={fromConfig} />
            <MadeByKeyLine apiKey={apiKey} />
            <ScheduleFields
              form={shown}
              readBack={readBack(time)}
              isNew={schedule === null}
              agents={agents}
              isWatcherMissing={watcher.isMissing}
            />
          </form>
          <div
            className={classNames(
              "flex min-w-0 flex-col gap-5 border-border px-5 py-4 max-sm:px-3 lg:border-l",
              onlyWide(!["check", "yaml"].includes(part)),
            )}
          >
            <div className={classNames("flex flex-col gap-5", onlyWide(part === "yaml"))}>
              <NextRuns reply={preflight.data} isChecking={preflight.isFetching} />
              <CallsThatAsk
                reply={preflight.data}
                error={unchecked.length > 0 ? null : preflight.error}
                onCheck={() => void preflight.refetch()}
                choiceOf={(call) => choiceOf(values, call)}
                onChoose={(call, choice) => {
                  const { allow, deny } = withChoice(form.values, call, choice);
                  form.set("allow", allow);
                  form.set("deny", deny);
                }}
              />
            </div>
            <div className={classNames(onlyWide(part === "check"))}>
              <AsYaml fields={toFields(values, time)} before={schedule === null ? null : storedFields(schedule)} />
            </div>
          </div>
        </div>
        <PastRunsPart schedule={schedule} isShown={part === "runs"} />
      </div>
    </Page>
  );
}

/** The part that a narrow page shows; after a refusal the form, where the problem is. */
function usePart({ refusals, problems }: Pick<Form<ScheduleForm>, "refusals" | "problems">) {
  const [part, setPart] = useState<Part>("form");
  const [seenRefusals, setSeenRefusals] = useState(refusals);
  if (refusals !== seenRefusals) {
    setSeenRefusals(refusals);
    if (problems.size > 0) setPart("form");
  }
  return [part, setPart] as const;
}

/** Whether the schedule was saved elsewhere while this page has unsaved changes. */
function isChangedElsewhere({ isDirty, opened }: Form<ScheduleForm>, schedule: Schedule | null): boolean {
  return schedule !== null && isDirty && Object.keys(changedFields(storedForm(schedule), opened, schedule)).length > 0;
}

/** A new schedule has no past. */
function partsOf(schedule: Schedule | null): readonly { readonly id: Part; readonly name: string }[] {
  return schedule === null ? PARTS.filter(({ id }) => id !== "runs") : PARTS;
}

/** A narrow page shows one part at a time. */
function onlyWide(isElsewhere: boolean): string {
  return isElsewhere ? "max-lg:hidden" : "";
}

function PastRunsPart({ schedule, isShown }: { schedule: Schedule | null; isShown: boolean }) {
  if (schedule === null) return null;
  return (
    <div className={onlyWide(!isShown)}>
      <PastRuns schedule={schedule} />
    </div>
  );
}

interface EditorActionsProps {
  schedule: Schedule | null;
  mayDiscard: boolean;
  onDiscard: () => void;
  onRun: () => void;
  isStarting: boolean;
  onSave: () => void;
  isSaving: boolean;
  maySave: boolean;
}

function EditorActions({ schedule, mayDiscard, onDiscard, onRun, isStarting, ...saving }: EditorActionsProps) {
  return (
    <>
      {mayDiscard ? (
        <Button variant="ghost" onPress={onDiscard}>
          Discard
        </Button>
      ) : null}
      {schedule === null ? null : (
        <Button onPress={onRun} isPending={isStarting} isDisabled={!schedule.enabled}>
          <Play aria-hidden />
          Run now
        </Button>
      )}
      <Button variant="primary" onPress={saving.onSave} isPending={saving.isSaving} isDisabled={!saving.maySave}>
        {schedule === null ? "Create schedule" : "Save schedule"}
      </Button>
    </>
  );
}

function Summary({ schedule, changed }: { schedule: Schedule | null; changed: number }) {
  if (schedule === null) return null;
  return (
    <span role="status" className="shrink-0 text-xs text-muted">
      {schedule.enabled ? "on" : "paused"}
      {changed === 0 ? "" : ` · ${changed === 1 ? "1 change" : `${changed} changes`}`}
    </span>
  );
}

function ChangedElsewhere({ isShown, onTake }: { isShown: boolean; onTake: () => void }) {
  return (
    <div role="status">
      {isShown ? (
        <div className="mx-5 mt-4 max-sm:mx-3">
          <Notice
            status="interrupted"
            title="This schedule was changed elsewhere while you were typing"
            actions={<Button onPress={onTake}>Show it as it is now</Button>}
          >
            Saving changes only what you changed here.
          </Notice>
        </div>
      ) : null}
    </div>
  );
}

interface HintsProps {
  watcher: ReturnType<typeof useMissingWatcher>;
  isFromConfig: boolean;
}

function Hints({ watcher, isFromConfig }: HintsProps) {
  const hint = "rounded-md bg-default px-2.5 py-1.5 text-sm";
  if (isFromConfig)
    return (
      <p className={hint}>
        It stands in the agent’s config. Only the calls that it allows are saved here; change the rest there.
      </p>
    );
  if (!watcher.isMissing) return null;
  return (
    <p className={hint}>
      {watcher.mayMake
        ? "This also creates the agent page-watcher."
        : "Ask an administrator to create the agent page-watcher first, or choose an agent that has web_fetch."}
    </p>
  );
}

function readBack(time: ScheduleTime | null): string {
  if (time === null) return "Words, or a cron pattern.";
  const words = timeLabel(time);
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return time.cron === undefined || words === time.cron ? text : `${text} · ${time.cron}`;
}
