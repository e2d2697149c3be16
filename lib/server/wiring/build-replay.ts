import "server-only";
import type { ModelRequest } from "@/lib/agent/model";
import { replayHook } from "@/lib/hooks/replay";
import { AppError } from "@/lib/schema/app-error";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { ReplayChanges } from "@/lib/schema/traces/replay";
import { buildHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { nextRequest } from "@/lib/server/agents/prompt/next-request";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { ReplayedRun } from "@/lib/server/engine/ports";
import { type Database, database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { recordedAnswers } from "@/lib/server/traces/replay/recorded-answers";
import {
  recordedRequests,
  recordedTools,
  type TouchedParts,
  withTouched,
} from "@/lib/server/traces/replay/recorded-request";
import { loadRecordedRun, recordedState } from "@/lib/server/traces/replay/recorded-run";
import { requireReplay, type StoredReplay } from "@/lib/server/traces/replay/replay-row";
import { resolveModel } from "./build-run";
import { describeRunParts } from "./run-parts/run-parts";
import { versionWithWindow } from "./version-with-window";

/**
 * Of a replay, the config of the replayed run with what the replay changes; of all others `versionWithWindow`.
 */
export async function versionInUse(run: ClaimedRun, version: AgentVersion): Promise<AgentVersion> {
  if (run.replayId === null) return versionWithWindow(run, version);
  const { replay, original } = await loadReplayed(database(), run);
  const { modelOverride } = run;
  const base = await versionWithWindow({ ...original, modelOverride }, version);
  const { model: _, ...settings } = replay.changes.config ?? {};
  return { ...base, config: { ...base.config, ...settings } };
}

interface Replayed {
  readonly replay: StoredReplay;
  readonly original: RunRow;
}

async function loadReplayed(db: Database, run: ClaimedRun): Promise<Replayed> {
  const replay = await requireReplay(db, run.replayId ?? "");
  const original = await db.run.findUnique({ where: { id: replay.runId } });
  if (!original) throw gone();
  return { replay, original };
}

function gone(): AppError {
  return new AppError("conflict", "The run that this one replays has been deleted.");
}

/** Hooks that only change what the model reads; all others act for files, people or extensions. */
const KEPT_HOOKS = new Set(["tracing", "summarization", "inject-context"]);

/**
 * The parts of a replay: model, prompt, tools and messages as recorded, or as the change leaves them. Neither files nor
 * memory are opened, and no tool, extension or permission of a person is used.
 */
export async function buildReplay(
  run: ClaimedRun,
  version: AgentVersion,
  end: (error: AppError) => void,
): Promise<ReplayedRun> {
  const db = database();
  const { replay, original } = await loadReplayed(db, run);
  const recorded = await loadRecordedRun(db, original);
  if (!recorded) throw gone();
  const { changes, tools, fromStep } = replay;
  const [model, state, touched] = await Promise.all([
    resolveModel(run, version.config),
    recordedState(db, original.id, fromStep),
    touchedParts(db, { run, version, original, changes }),
  ]);
  if (!state) throw new AppError("conflict", `What step ${fromStep} began with is no longer kept.`);
  const sent = recordedRequests(db, recorded);
  const requestOf = async (step: number) => {
    const { system, tools: schemas, maxTokens, temperature } = await sent(step);
    const { system: newSystem, tools: newTools } = withTouched({ system, tools: schemas }, touched);
    return { system: newSystem, tools: newTools, ...settingsOf({ maxTokens, temperature }, version, changes) };
  };
  const { hooks } = buildHooks({
    config: { ...version.config, backend: null },
    workspace: null,
    fileHistory: null,
    verboseTrace: version.config.trace.verbose ?? false,
  });
  const answer = recordedAnswers({ calls: recorded.calls, tools, results: changes.results });
  return {
    system: [],
    model,
    tools: await recordedTools(db, recorded, (await requestOf(fromStep)).tools),
    hooks: [...hooks.filter(({ name }) => KEPT_HOOKS.has(name)), replayHook({ requestOf, answer, end })],
    path: { threadId: original.threadId, leaf: original.afterRunId, isThen: true },
    input: recorded.input,
    events: recorded.events
      .filter((event) => event.type === "steer.read" || isBefore(event, fromStep))
      .map((event) => withResult(event, changes)),
    state,
  };
}

function isBefore(event: RunEvent, step: number): boolean {
  return "step" in event && event.step < step;
}

/** A result of a step that is not run again, in the words of the change. */
function withResult(event: RunEvent, { results = {} }: ReplayChanges): RunEvent {
  if (event.type !== "tool.result") return event;
  const { toolCallId, name } = event.result;
  const output = Object.hasOwn(results, toolCallId) ? results[toolCallId] : undefined;
  return output === undefined ? event : { ...event, result: { toolCallId, name, output } };
}

/** As recorded, unless the change sets them or names another version. */
function settingsOf(
  { maxTokens, temperature }: Pick<ModelRequest, "maxTokens" | "temperature">,
  { config }: AgentVersion,
  { version, draft, config: changed = {} }: ReplayChanges,
): Pick<ModelRequest, "maxTokens" | "temperature"> {
  const isOther = version !== undefined || draft === true;
  return {
    maxTokens: isOther || changed.max_tokens !== undefined ? config.max_tokens : maxTokens,
    temperature: isOther || changed.temperature !== undefined ? config.temperature : temperature,
  };
}

interface Change {
  readonly run: ClaimedRun;
  /** With the change. */
  readonly version: AgentVersion;
  readonly original: RunRow;
  readonly changes: ReplayChanges;
}

/** What a change of version or settings does to a request; null for a change of neither. */
async function touchedParts(db: Database, { run, version, original, changes }: Change): Promise<TouchedParts | null> {
  if (changes.version === undefined && !changes.draft && changes.config === undefined) return null;
  const used = await versionWithWindow(original, await loadAgentVersion(db, original.agentVersionId));
  const describe = async ({ config, promptFiles }: AgentVersion, model: string | null) => {
    const { agentId, ownerId } = run;
    const next = { agentId, ownerId, threadId: null, config, promptFiles, model };
    return (await nextRequest(next, describeRunParts)).request;
  };
  const before = await describe(used, original.modelOverride);
  return { before, after: await describe(version, run.modelOverride) };
}
