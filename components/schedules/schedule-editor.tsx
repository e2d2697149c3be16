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
import { Notice } from "@/components/ui/states/notice";
import { agentListQuery } from "@/lib/client/agents/agent-queries";
import { errorMessage } from "@/lib/client/http/api";
import { notificationsQuery } from "@/lib/client/notifications/notification-queries";
import {
  baseOf,
  changedFields,
  choiceOf,
  countChanges,
  formOf,
  problemsOf,
  type ScheduleStart,
  storedFields,
  timeOf,
  toFields,
  withChoice,
} from "@/lib/client/schedules/schedule-form";
import { useScheduleDraft } from "@/lib/client/schedules/use-schedule-draft";
import { classNames } from "@/lib/client/ui/class-names";
import { useSettled } from "@/lib/client/ui/input/use-settled";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { DEFAULT_AGENT } from "@/lib/schema/agents/agent-id";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { type ScheduleTime, timeWords } from "@/lib/schema/triggers/time-words";
import { AsYaml } from "./as-yaml";
import { PastRuns } from "./past-runs";
import { CallsThatAsk, NextRuns } from "./schedule-check";
import { ScheduleFields } from "./schedule-fields";
import { problemsIn, useCheck, useMissingWatcher, useRunNow, useSave } from "./use-schedule-editor";

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
  /** What the tab keeps the typed text under, until it is saved or discarded. */
  draftKey: string;
  start: ScheduleStart;
  /** The draft is forgotten. */
  onDiscarded: () => void;
}

/** Says when, and shows what will happen before it happens. */
export function ScheduleEditor({ schedule, draftKey, start, onDiscarded }: ScheduleEditorProps) {
  const agents = useQuery(agentListQuery);
  const { written, set, isTyped, forget } = useScheduleDraft(draftKey, formOf(schedule, start));
  const [isChecked, setChecked] = useState(false);
  const [part, setPart] = useState<Part>("form");
  // Checked with the server once typing pauses; the draft keeps every letter.
  const checkedWhen = useSettled(written.when);
  const zone = useQuery({ ...notificationsQuery, enabled: schedule === null }).data?.timeZone;
  const form = {
    ...written,
    agentId: written.agentId ?? firstAgent(agents.data ?? []),
    timezone: written.timezone ?? zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const { fromConfig = false, apiKey = null } = schedule ?? {};
  const time = timeOf(form.when, schedule);
  const watcher = useMissingWatcher(form.agentId, agents.data);
  const preflight = useCheck(
    { ...form, agentId: watcher.isThere ? form.agentId : null },
    { schedule, time: timeOf(checkedWhen, schedule) },
  );
  const save = useSave(schedule, watcher.isMissing, forget);
  const run = useRunNow(schedule);
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
  const fields = toFields(form, time);
  const changes = form.base === null ? null : changedFields(fields, form.base);
  const changed = changes === null ? 0 : countChanges(changes);
  const isSavable = (schedule === null || changed > 0) && (!watcher.isMissing || watcher.mayMake);
  const submit = () => {
    if (!isSavable || save.isPending) return;
    setChecked(true);
    if (Object.keys(own).length > 0) setPart("form");
    else save.mutate({ agentId: form.agentId, fields, changes });
  };
  const runNow = () => {
    if (schedule?.enabled && !run.isPending) run.mutate();
  };
  const discard = () => {
    forget();
    onDiscarded();
  };
  usePageKeys(PAGE_KEYS);
  useShortcuts({ "mod+s": submit, "mod+enter": runNow });
  return (
    <Page>
      <PageHead
        lead={<ListCrumb href="/automations/schedules">Schedules</ListCrumb>}
        title={schedule?.name ?? "New schedule"}
        facts={<Facts schedule={schedule} changed={changed} />}
        hasWideActions
        actions={
          <EditorActions
            schedule={schedule}
            mayDiscard={schedule === null ? isTyped : changed > 0}
            onDiscard={discard}
            onRun={runNow}
            isStarting={run.isPending}
            onSave={submit}
            isSaving={save.isPending}
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
        <Problems error={refused.size > 0 ? null : save.error} />
        <ChangedElsewhere
          isShown={schedule !== null && changed > 0 && form.base !== baseOf(schedule)}
          onTake={discard}
        />
        <div className="grid lg:grid-cols-[minmax(0,652px)_minmax(0,1fr)]">
          <form
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
              {...{ form, set, problem }}
              readBack={readBack(time)}
              isNew={schedule === null}
              agents={agents.data ?? []}
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
                error={unchecked.size > 0 ? null : preflight.error}
                onCheck={() => void preflight.refetch()}
                choiceOf={(call) => choiceOf(form, call)}
                onChoose={(call, choice) => {
                  const { allow, deny } = withChoice(form, call, choice);
                  set({ allow, deny });
                }}
              />
            </div>
            <div className={classNames(onlyWide(part === "check"))}>
              <AsYaml fields={fields} before={schedule === null ? null : storedFields(schedule)} />
            </div>
          </div>
        </div>
        <PastRunsPart schedule={schedule} isShown={part === "runs"} />
      </div>
    </Page>
  );
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

/** The agent that answers on a fresh installation, else the first by name. */
function firstAgent(agents: readonly { readonly id: string }[]): string | null {
  return (agents.find(({ id }) => id === DEFAULT_AGENT) ?? agents[0])?.id ?? null;
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

function Facts({ schedule, changed }: { schedule: Schedule | null; changed: number }) {
  if (schedule === null) return null;
  return (
    <span role="status" className="shrink-0 text-xs text-muted">
      {schedule.enabled ? "on" : "paused"}
      {changed === 0 ? "" : ` · ${changed === 1 ? "1 change" : `${changed} changes`}`}
    </span>
  );
}

function Problems({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="mx-5 mt-4 rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text max-sm:mx-3">
      {errorMessage(error)}
    </p>
  );
}

/** Somebody has saved it while one's own changes are not saved yet. */
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
  const words = timeWords(time);
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return time.cron === undefined || words === time.cron ? text : `${text} · ${time.cron}`;
}
