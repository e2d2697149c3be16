import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { ReplayPlan } from "@/lib/schema/traces/replay";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { type Database, database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { maskText } from "@/lib/server/platform/masking";
import { repeatModels } from "@/lib/server/providers/check-choice";
import { roleOf } from "@/lib/server/providers/model-access";
import { findShownPrompts } from "@/lib/server/traces/prompt-access";
import { recordedRequests } from "./recorded-request";
import type { RecordedRun } from "./recorded-run";
import { findTracedRun, requireRecording } from "./replayable-run";

const MAX_REPLAYS = 20;
const MAX_CALLS = 500;
const MAX_RESULT_CHARS = 4_000;

/**
 * What a replay of the run would begin with, and what stands in its way; with the replays of it that the viewer may see.
 * Masked like a trace. Throws `not_found`.
 */
export async function planReplay(viewer: Viewer, id: string): Promise<ReplayPlan> {
  const db = database();
  const run = await findTracedRun(viewer, id);
  const { config, number } = await loadAgentVersion(db, run.agentVersionId);
  const [found, showsPrompt, role, replays] = await Promise.all([
    findRecording(db, run),
    findShownPrompts(db, viewer, run.traceId),
    roleOf(viewer.id),
    listReplays(db, viewer, run.id),
  ]);
  const recorded = "problem" in found ? null : found;
  const message = recorded?.input.messages.findLast(({ role: of }) => of === "user")?.content;
  return {
    runId: run.id,
    steps: run.steps,
    problem: "problem" in found ? found.problem : null,
    message: message === undefined ? null : maskText(message),
    systemPrompt: showsPrompt(run.id) ? maskText(config.system_prompt) : null,
    model: run.model ?? "",
    models: await repeatModels(config, role),
    version: toRunVersion(number),
    calls: recorded?.calls.slice(0, MAX_CALLS).flatMap(toPlanCall) ?? [],
    costUsd: run.costUsd,
    workedMs: run.startedAt && run.endedAt ? run.endedAt.getTime() - run.startedAt.getTime() - run.waitedMs : null,
    replays,
  };
}

async function findRecording(db: Database, run: RunRow): Promise<RecordedRun | { readonly problem: string }> {
  try {
    const recorded = await requireRecording(db, run);
    await recordedRequests(db, recorded)(run.steps);
    return recorded;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return { problem: error.message };
    throw error;
  }
}

function toPlanCall({ step, call, result }: RecordedRun["calls"][number]): ReplayPlan["calls"] {
  if (!result) return [];
  const { id: toolCallId, name: tool, args } = call;
  const text = maskText(result.content);
  return [
    { toolCallId, step, tool, gist: maskText(plainGist(args)), result: text.slice(0, MAX_RESULT_CHARS).toWellFormed() },
  ];
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
