import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { hasAdminScope, type Role, type Viewer } from "@/lib/schema/users/user";
import type { DescribeRunParts } from "@/lib/server/agents/prompt/run-parts";
import { PUBLISHED } from "@/lib/server/agents/publish-version";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { maskText, maskValue } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { repeatModels } from "@/lib/server/providers/check-choice";
import { roleOf } from "@/lib/server/providers/model-access";
import { modelRegistry, whenProvidersAreLoaded } from "@/lib/server/providers/models";
import { everyModel } from "@/lib/server/providers/offered-choices";
import { findShownPrompts } from "@/lib/server/traces/prompt-access";
import { recordedRequests } from "./recorded-request";
import type { RecordedRun } from "./recorded-run";
import { replayableTools } from "./replay-tools";
import { findTracedRun, requireAgent, requireRecording, requireState } from "./replayable-run";
import { describeSandbox } from "./scratch-files";

const MAX_REPLAYS = 20;
const MAX_CALLS = 500;
const MAX_RESULT_CHARS = 4_000;
const MAX_ARGS_CHARS = 10_000;
const MAX_VERSIONS = 100;

/**
 * What a replay of the run would begin with, and what stands in its way; with the replays of it that the viewer may see.
 * Masked like a trace. Throws `not_found`.
 */
export async function planReplay(
  services: Services,
  viewer: Viewer,
  { id, step }: { readonly id: string; readonly step: number },
  describeRunParts: DescribeRunParts,
): Promise<ReplayPlan> {
  const { database } = services;
  const run = await findTracedRun(services, viewer, id);
  const { config, number } = await loadAgentVersion(database, run.agentVersionId);
  const [found, showsPrompt, role, replays, others] = await Promise.all([
    findRecording(database, viewer, run, Math.min(step, Math.max(run.steps, 1))),
    findShownPrompts(database, viewer, run.traceId),
    roleOf(database, viewer.id),
    listReplays(database, viewer, run.id),
    otherVersions(database, viewer, run),
  ]);
  const recorded = "problem" in found ? null : found.recorded;
  const running = "problem" in found ? NOTHING_RUNS : await whatRuns();
  const message = recorded?.input.messages.findLast(({ role: of }) => of === "user")?.content;
  return {
    runId: run.id,
    steps: run.steps,
    problem: "problem" in found ? found.problem : null,
    message: message === undefined ? null : maskText(message),
    systemPrompt: showsPrompt(run.id) ? maskText(config.system_prompt) : null,
    model: run.model ?? "",
    models: await modelsFor(services, config, { role, isFree: hasAdminScope(viewer) }),
    version: toRunVersion(number),
    ...others,
    calls: recorded?.calls.slice(0, MAX_CALLS).flatMap(toPlanCall) ?? [],
    ...running,
    costUsd: run.costUsd,
    workedMs: run.startedAt && run.endedAt ? run.endedAt.getTime() - run.startedAt.getTime() - run.waitedMs : null,
    replays,
  };

  async function whatRuns(): Promise<Pick<ReplayPlan, "tools" | "sandbox">> {
    const offered = "problem" in found ? [] : found.offered;
    const next = { agentId: run.agentId, ownerId: viewer.id };
    const [tools, sandbox] = await Promise.all([
      replayableTools(services, { next, config, offered }, describeRunParts),
      describeSandbox(database, { run, step: Math.min(step, run.steps) }, config),
    ]);
    const { problem } = sandbox;
    return { tools, sandbox: { ...sandbox, problem: problem === null ? null : maskText(problem) } };
  }
}

interface Chooser {
  readonly role: Role;
  /** Whether they may replay with any model that their role may use. */
  readonly isFree: boolean;
}

/** Somebody who may replay with any model is offered all if the agent's own provider is gone. */
async function modelsFor(services: Services, config: AgentConfig, { role, isFree }: Chooser): Promise<string[]> {
  await whenProvidersAreLoaded(services);
  const [own = "", ...others] = await repeatModels(services, config, role);
  const isGone = modelRegistry(services).problemOf(own, "fail") !== null;
  const more = isGone && isFree ? await everyModel(services, role) : [];
  return [...new Set([own, ...others, ...more])];
}

const NOTHING_RUNS: Pick<ReplayPlan, "tools" | "sandbox"> = {
  tools: [],
  sandbox: { problem: null, files: 0, neverVersioned: 0 },
};

const MISSING: ReadonlySet<string> = new Set(["conflict", "not_found"]);

interface FoundRecording {
  readonly recorded: RecordedRun;
  /** The tools that the step's model call was offered. */
  readonly offered: readonly string[];
}

/** A problem names what is missing, as starting the replay would. */
async function findRecording(
  db: Database,
  viewer: Viewer,
  run: RunRow,
  step: number,
): Promise<FoundRecording | { readonly problem: string }> {
  try {
    const recorded = await requireRecording(db, run);
    await requireAgent(db, viewer, run.agentId);
    const requestOf = recordedRequests(db, recorded);
    const [{ tools }] = await Promise.all([requestOf(step), requestOf(run.steps)]);
    await requireState(db, run.id, step);
    return { recorded, offered: tools.map(({ name }) => name) };
  } catch (error) {
    if (error instanceof AppError && MISSING.has(error.code)) return { problem: error.message };
    throw error;
  }
}

function toPlanCall({ step, call, result }: RecordedRun["calls"][number]): ReplayPlan["calls"] {
  if (!result) return [];
  const { id: toolCallId, name: tool, args } = call;
  const text = maskText(result.content);
  const written = JSON.stringify(maskValue(args), null, 2);
  return [
    {
      ...{ toolCallId, step, tool, gist: maskText(plainGist(args)) },
      result: text.slice(0, MAX_RESULT_CHARS).toWellFormed(),
      args: written.length > MAX_ARGS_CHARS ? null : written,
    },
  ];
}

/** Numbers and drafts are for administrators, as everywhere: an old version may allow more. */
async function otherVersions(
  db: Database,
  viewer: Viewer,
  { agentId, agentVersionId }: RunRow,
): Promise<Pick<ReplayPlan, "versions" | "hasDraft">> {
  if (!hasAdminScope(viewer)) return { versions: [], hasDraft: false };
  const [rows, draft] = await Promise.all([
    db.agentVersion.findMany({
      where: { agentId, id: { not: agentVersionId }, ...PUBLISHED },
      orderBy: { number: "desc" },
      take: MAX_VERSIONS,
      select: { number: true },
    }),
    db.agentDraft.findFirst({ where: { agentId, endedAt: null }, select: { revision: true } }),
  ]);
  return { versions: rows.flatMap(({ number }) => number ?? []), hasDraft: draft !== null };
}

async function listReplays(db: Database, viewer: Viewer, runId: string): Promise<ReplayPlan["replays"]> {
  const rows = await db.replay.findMany({
    where: { runId, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }) },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_REPLAYS,
  });
  return rows.map(({ id, createdAt, fromStep, repeat, changes }) => ({
    ...{ id, fromStep, repeat, isUnchanged: changes === null },
    createdAt: createdAt.toISOString(),
  }));
}
