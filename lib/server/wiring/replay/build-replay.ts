import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { ModelRequest } from "@/lib/agent/model";
import { type RequestOfStep, recordedRequestHook, replayHook } from "@/lib/hooks/replay";
import { AppError } from "@/lib/schema/app-error";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { ReplayChanges } from "@/lib/schema/traces/replay";
import { runsTools } from "@/lib/schema/traces/replay-tools";
import { buildHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { nextRequest } from "@/lib/server/agents/prompt/next-request";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { ReplayedRun } from "@/lib/server/engine/ports";
import { RunInput } from "@/lib/server/engine/run-input";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { recordedAnswers, withArgs } from "@/lib/server/traces/replay/recorded-answers";
import {
  recordedRequests,
  recordedTools,
  type TouchedParts,
  withTouched,
} from "@/lib/server/traces/replay/recorded-request";
import { loadRecordedRun, type RecordedRun, recordedState } from "@/lib/server/traces/replay/recorded-run";
import { sandboxOf } from "@/lib/server/traces/replay/tool-policy";
import { resolveModel } from "@/lib/server/wiring/build-run";
import { describeRunParts } from "@/lib/server/wiring/run-parts/run-parts";
import { versionWithWindow } from "@/lib/server/wiring/version-with-window";
import { gone, loadReplayed, type Replayed } from "./load-replayed";
import { type RunningParts, runningParts } from "./running-parts";

/** Hooks that only change what the model reads; all others act for files, people or extensions. */
const KEPT_HOOKS = new Set(["tracing", "summarization", "inject-context"]);

/**
 * The parts of a replay: model, prompt, tools and messages as recorded, or as the change leaves them. Unless a tool may
 * run, no files are opened, and no permission of a person is used; tools that run have a copy of the files.
 */
export async function buildReplay(
  services: Services,
  run: ClaimedRun,
  version: AgentVersion,
  end: (error: AppError) => void,
): Promise<ReplayedRun> {
  const { database } = services;
  const replayed = await loadReplayed(database, run);
  const { replay, original, changes } = replayed;
  const recorded = original && (await loadRecordedRun(database, original));
  if (!recorded && run.parentRunId === null) throw gone();
  const running = runsTools(replay.tools) ? await runningParts(services, { run, version, replayed, recorded }) : null;
  const answer = recordedAnswers({
    calls: recorded?.calls ?? [],
    tools: replay.tools,
    changes,
    ...(running ? { canSandbox: await sandboxOf(version.config) } : {}),
    confirmed: new Set(replay.tools.confirmLive),
  });
  const ring = replayHook({ answer, end, ...(running ? { willRun: running.willRun } : {}) });
  const more = running ? { decisionOf: running.decisionOf } : {};
  // Another version may have other subagents by the same names: what they are told is theirs.
  const isOther = run.parentRunId !== null && (replay.changes.version !== undefined || replay.changes.draft === true);
  const parts =
    recorded && !isOther
      ? await asRecorded(services, { run, version, replayed, recorded, running, ring })
      : { ...notRecorded(run, running, ring), model: await resolveModel(services, run, version.config) };
  return { ...parts, ...more };
}

interface Recorded {
  readonly run: ClaimedRun;
  readonly version: AgentVersion;
  readonly replayed: Replayed;
  readonly recorded: RecordedRun;
  readonly running: RunningParts | null;
  readonly ring: Hook;
}

async function asRecorded(
  services: Services,
  { run, version, replayed, recorded, running, ring }: Recorded,
): Promise<ReplayedRun> {
  const { changes, fromStep } = replayed;
  const { run: original } = recorded;
  const [model, state, touched] = await Promise.all([
    resolveModel(services, run, version.config),
    recordedState(services.database, original.id, fromStep),
    touchedParts(services, { run, version, original, changes }),
  ]);
  if (!state) throw new AppError("conflict", `What step ${fromStep} began with is no longer kept.`);
  const sent = recordedRequests(services.database, recorded);
  const requestOf: RequestOfStep = async (step) => {
    const { system, tools: schemas, maxTokens, temperature } = await sent(step);
    const { system: newSystem, tools: newTools } = withTouched({ system, tools: schemas }, touched);
    return { system: newSystem, tools: newTools, ...settingsOf({ maxTokens, temperature }, version, changes) };
  };
  const kept = running?.hooks ?? readingHooks(version);
  const schemas = (await requestOf(fromStep)).tools.filter(({ name }) => !running?.runs(name));
  return {
    system: [],
    model,
    tools: [...(await recordedTools(services.database, recorded, schemas)), ...(running?.tools ?? [])],
    hooks: [...within(kept, ring), recordedRequestHook(requestOf)],
    path: { threadId: original.threadId, leaf: original.afterRunId, isThen: true },
    input: recorded.input,
    events: recorded.events
      .filter((event) => event.type === "steer.read" || isBefore(event, fromStep))
      .flatMap((event) => withChange(event, changes)),
    state,
  };
}

/** A subagent's run of which there is no recording: it runs as any does, under the policies of the replay. */
function notRecorded(run: ClaimedRun, running: RunningParts | null, ring: Hook): Omit<ReplayedRun, "model"> {
  if (!running) throw gone();
  return {
    system: running.system,
    tools: running.tools,
    hooks: within(running.hooksWithPrompt, ring),
    path: { threadId: run.threadId, leaf: run.afterRunId },
    input: RunInput.parse(JSON.parse(run.input)),
    events: [],
    state: null,
  };
}

function readingHooks(version: AgentVersion): Hook[] {
  const { hooks } = buildHooks({
    config: { ...version.config, backend: null },
    workspace: null,
    fileHistory: null,
    verboseTrace: version.config.trace.verbose ?? false,
  });
  return hooks.filter(({ name }) => KEPT_HOOKS.has(name));
}

/** The ring comes right inside tracing: what is answered from the recording is seen there, and nowhere else. */
function within(hooks: readonly Hook[], ring: Hook): Hook[] {
  const tracing = hooks.filter(({ name }) => name === "tracing");
  return [...tracing, ring, ...hooks.filter(({ name }) => name !== "tracing")];
}

function isBefore(event: RunEvent, step: number): boolean {
  return "step" in event && event.step < step;
}

/** A step that is not run again, with results in the words of the change; a call with other arguments runs again. */
function withChange(event: RunEvent, { results = {}, args = {} }: ReplayChanges): RunEvent[] {
  if (event.type === "model.completed") {
    const toolCalls = event.reply.toolCalls.map((call) => {
      const changed = args[call.id];
      return changed === undefined ? call : withArgs(call, changed);
    });
    return [{ ...event, reply: { ...event.reply, toolCalls } }];
  }
  if (event.type !== "tool.result") return [event];
  const { toolCallId, name } = event.result;
  if (Object.hasOwn(args, toolCallId)) return [];
  const output = Object.hasOwn(results, toolCallId) ? results[toolCallId] : undefined;
  return output === undefined ? [event] : [{ ...event, result: { toolCallId, name, output } }];
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
async function touchedParts(
  services: Services,
  { run, version, original, changes }: Change,
): Promise<TouchedParts | null> {
  if (changes.version === undefined && !changes.draft && changes.config === undefined) return null;
  const used = await versionWithWindow(
    services,
    original,
    await loadAgentVersion(services.database, original.agentVersionId),
  );
  const describe = async ({ config, promptFiles }: AgentVersion, model: string | null) => {
    const { agentId, ownerId } = run;
    const next = { agentId, ownerId, threadId: null, config, promptFiles, model };
    return (await nextRequest(services, next, describeRunParts)).request;
  };
  const before = await describe(used, original.modelOverride);
  return { before, after: await describe(version, run.modelOverride) };
}
