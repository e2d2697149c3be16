import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import type { ReplayBody, ReplayChanges, StartedReplay } from "@/lib/schema/traces/replay";
import { runsTools } from "@/lib/schema/traces/replay-tools";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { requireTestVersion } from "@/lib/server/agents/drafts/test-version";
import type { DescribeRunParts } from "@/lib/server/agents/prompt/run-parts";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { startRun } from "@/lib/server/engine/accept";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { SentInput } from "@/lib/server/engine/run-input";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { requireChoice } from "@/lib/server/providers/check-choice";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { modelRegistry, whenProvidersAreLoaded } from "@/lib/server/providers/models";
import { requireTester } from "@/lib/server/threads/test-thread";
import { findShownPrompts } from "@/lib/server/traces/prompt-access";
import { recordedRequests } from "./recorded-request";
import type { RecordedRun } from "./recorded-run";
import type { StoredTools } from "./replay-row";
import { checkTools, replayableTools } from "./replay-tools";
import { findTracedRun, requireAgent, requireRecording, requireState } from "./replayable-run";
import { requireSandbox } from "./scratch-files";
import { needsFiles, sandboxOf } from "./tool-policy";

/**
 * Runs the agent of an ended run again from one of its steps, `repeat` times, each in a thread of its own that is not
 * listed. Whoever may see the trace and use the agent may; the runs are theirs. Throws `not_found`, `forbidden`,
 * `invalid_input`, and `conflict` with what the recording lacks.
 */
export async function startReplay(
  services: Services,
  viewer: Viewer,
  body: ReplayBody,
  describeRunParts: DescribeRunParts,
): Promise<StartedReplay> {
  const { database } = services;
  const run = await findTracedRun(services, viewer, body.runId);
  const recorded = await requireRecording(database, run);
  const { fromStep, repeat, tools } = body;
  if (fromStep > run.steps) throw invalidField("fromStep", `is 1 to ${run.steps}, the last step of the run`);
  await requireAgent(database, viewer, run.agentId);
  const changes = changed(body.with);
  const chosen = await checkChanges(services, viewer, recorded, { changes: changes ?? {}, fromStep });
  const messages = inputOf(recorded, changes?.message);
  const sent = await recordedRequests(database, recorded)(fromStep);
  await requireState(database, run.id, fromStep);
  const isRunning = runsTools(tools);
  if (isRunning) {
    const isOther = chosen.versionId !== run.agentVersionId;
    const offered = isOther ? null : sent.tools.map(({ name }) => name);
    await checkRunning(services, viewer, { body, run, versionId: chosen.versionId, offered }, describeRunParts);
  }
  const replayId = createId("rpl");
  await storeReplay(services, { viewer, run, body, replayId, changes });
  const runIds: string[] = [];
  for (let index = 0; index < repeat; index += 1) {
    const threadId = await createThread(database, { replayId, run, ownerId: viewer.id });
    const started = await startRun(database, {
      ...{ ownerId: viewer.id, threadId, agentId: run.agentId, access: accessOf(viewer), messages, ...chosen },
      apiKeyId: viewer.keyId,
      ...(run.effort === null ? {} : { effort: Effort.parse(run.effort) }),
      origin: "replay",
      ...(isRunning ? {} : { canAsk: false }),
      compact: false,
      replay: { id: replayId, runId: run.id, fromStep },
    });
    runIds.push(started.runId);
  }
  return { replayId, runIds };
}

interface NewReplay {
  readonly viewer: Viewer;
  readonly run: RecordedRun["run"];
  readonly body: ReplayBody;
  readonly replayId: string;
  readonly changes: ReplayChanges | null;
}

async function storeReplay(services: Services, { viewer, run, body, replayId, changes }: NewReplay): Promise<void> {
  const { fromStep, repeat, tools, confirmLive, reuse_decisions } = body;
  await services.database.$transaction([
    services.database.replay.create({
      data: {
        ...{ id: replayId, runId: run.id, threadId: run.threadId, ownerId: viewer.id, fromStep, repeat },
        changes: changes === null ? null : JSON.stringify(changes),
        tools: JSON.stringify({ ...tools, confirmLive, reuse_decisions } satisfies StoredTools),
      },
      select: { id: true },
    }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "replay.started",
      target: `run:${run.id}`,
      details: {
        ...{ replayId, fromStep, repeat, changes: Object.keys(changes ?? {}).join(", ") },
        ...(confirmLive.length === 0 ? {} : { confirmLive: confirmLive.join(", ") }),
      },
    }),
  ]);
}

interface RunningReplay {
  readonly body: ReplayBody;
  readonly run: RecordedRun["run"];
  readonly versionId: string;
  /** The tools of its first step; null for those that the version has. */
  readonly offered: readonly string[] | null;
}

/** Tools that run need their code and the files of the step. Throws `conflict` with what is missing. */
async function checkRunning(
  services: Services,
  viewer: Viewer,
  { body, run, versionId, offered }: RunningReplay,
  describeRunParts: DescribeRunParts,
): Promise<void> {
  const { database } = services;
  const { tools, confirmLive, fromStep } = body;
  const { config } = await loadAgentVersion(database, versionId);
  const next = { agentId: run.agentId, ownerId: viewer.id };
  checkTools({ tools, confirmLive }, await replayableTools(services, { next, config, offered }, describeRunParts));
  if (needsFiles(tools, await sandboxOf(config))) await requireSandbox(database, { run, step: fromStep });
}

/** Null if nothing is changed. */
function changed(given: ReplayChanges | undefined): ReplayChanges | null {
  const entries = Object.entries(given ?? {}).filter(
    ([, value]) => typeof value !== "object" || Object.keys(value).length > 0,
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

interface ChangedReplay {
  readonly changes: ReplayChanges;
  readonly fromStep: number;
}

/** The version and model of the replay's runs. */
async function checkChanges(
  services: Services,
  viewer: Viewer,
  recorded: RecordedRun,
  { changes, fromStep }: ChangedReplay,
) {
  const { run, calls } = recorded;
  const { config: { model, ...texts } = {}, results = {}, args = {} } = changes;
  const known = new Set(calls.flatMap(({ call, result }) => (result ? [call.id] : [])));
  const unknown = Object.keys(results).find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidField(`with.results.${unknown}`, "is no call of this run that has a result");
  for (const id of Object.keys(args)) checkChangedCall(id, calls, fromStep);
  if (Object.keys(texts).length > 0) await requirePromptReader(services.database, viewer, run);
  const versionId = await versionOf(services, viewer, run, changes);
  const { id: ownerId } = viewer;
  const { agentId } = run;
  if (model !== undefined && !hasAdminScope(viewer)) {
    await requireChoice(services, {
      ownerId,
      agentId,
      access: accessOf(viewer),
      versionId,
      model,
      isAgain: true,
    });
    return { versionId, modelOverride: model };
  }
  const modelOverride = model ?? (await recordedModel(services.database, run, versionId)) ?? undefined;
  await requireProvider(services, versionId, modelOverride);
  const chosen = modelOverride === undefined ? {} : { model: modelOverride };
  await requireModelAccess(services, { ownerId, agentId, versionId, ...chosen });
  return { versionId, ...(modelOverride === undefined ? {} : { modelOverride }) };
}

/** A call runs again before the step after it: what came later had read its recorded result. */
function checkChangedCall(id: string, calls: RecordedRun["calls"], fromStep: number): void {
  const step = calls.find(({ call }) => call.id === id)?.step;
  if (step === undefined) throw invalidField(`with.args.${id}`, "is no call of this run");
  if (step < fromStep - 1) {
    throw invalidField(`with.args.${id}`, `is a call of step ${step}: replay from step ${step + 1}, or earlier`);
  }
}

/** Throws `conflict` if no model of the run can be called any more, as when its provider was removed. */
async function requireProvider(
  services: Services,
  versionId: string,
  modelOverride: string | undefined,
): Promise<void> {
  await whenProvidersAreLoaded(services);
  const registry = modelRegistry(services);
  const { config } = await loadAgentVersion(services.database, versionId);
  const { fallback_models: fallbacks, on_missing_provider: onMissing } = config;
  const spec = modelOverride ?? config.model;
  if (spec === null) return;
  const problems = [spec, ...fallbacks].map((entry) => registry.problemOf(registry.nameOf(entry, onMissing), "fail"));
  const [first] = problems;
  if (!first || problems.includes(null)) return;
  const message = `${first} Or replay with another model.`;
  throw new AppError("conflict", message, { details: [{ path: "model", message }] });
}

async function requirePromptReader(
  database: Database,
  viewer: Viewer,
  { id, traceId }: RecordedRun["run"],
): Promise<void> {
  if ((await findShownPrompts(database, viewer, traceId))(id)) return;
  throw new AppError("forbidden", "Changing the prompt and its settings is for those who may read the agent's prompt.");
}

/** Null for the version's own: an agent without one answered with the default of that time. */
async function recordedModel(database: Database, run: RecordedRun["run"], versionId: string): Promise<string | null> {
  if (run.modelOverride !== null || versionId !== run.agentVersionId) return run.modelOverride;
  const { config } = await loadAgentVersion(database, versionId);
  return config.model === null ? run.model : null;
}

async function versionOf(
  services: Services,
  viewer: Viewer,
  { agentId, agentVersionId }: RecordedRun["run"],
  { version, draft }: Pick<ReplayChanges, "version" | "draft">,
): Promise<string> {
  if (version !== undefined) return (await namedVersion(services, agentId, String(version), viewer)).id;
  if (!draft) return agentVersionId;
  requireTester(viewer);
  return (await requireTestVersion(services, agentId)).versionId;
}

/** The messages that the run was started with, the last of a person in other words. */
function inputOf({ input }: RecordedRun, words: string | undefined): SentInput[] {
  const last = input.messages.findLastIndex(({ role }) => role === "user");
  if (words !== undefined && last < 0)
    throw invalidField("with.message", "can't be changed: the run was started without one");
  return input.messages.flatMap((message, index) =>
    toInput(index === last && words !== undefined ? { ...message, content: words } : message),
  );
}

function toInput(message: Message): SentInput[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role !== "user") return [];
  const { content, images } = message;
  return [{ role: "user", content, ...(images ? { images } : {}) }];
}

interface ReplayThread {
  readonly replayId: string;
  readonly run: RecordedRun["run"];
  readonly ownerId: string;
}

async function createThread(db: Database, { replayId, run, ownerId }: ReplayThread): Promise<string> {
  const original = await db.thread.findUnique({ where: { id: run.threadId }, select: { title: true } });
  const id = createId("th");
  const title = original?.title ?? null;
  await db.thread.create({
    data: { id, ownerId, agentId: run.agentId, clientId: id, ephemeral: true, replayId, title, titled: true },
    select: { id: true },
  });
  return id;
}
