import "server-only";
import { AppError, type ErrorCode } from "@/lib/schema/app-error";
import type { Decision, Interrupt } from "@/lib/schema/runs/interrupt";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { listOpenAsks } from "@/lib/server/engine/asks/list-open-asks";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { runInReach } from "@/lib/server/platform/within-reach";
import type { ProjectedRun } from "@/lib/server/views/project-agents-api";
import { decisionOfReply, denied, keyOfAsk } from "./ask-form";

/** The viewer's own run, started with a message; null if there is none of that id. */
export async function findOwnRun(
  database: Database,
  viewer: Viewer,
  runId: string,
): Promise<(ProjectedRun & { agentId: string }) | null> {
  const run = await database.run.findFirst({
    where: { id: runId, ownerId: viewer.id, parentRunId: null, ...runInReach(viewer) },
    select: { id: true, traceId: true, agentId: true, thread: { select: { clientId: true, deletedAt: true } } },
  });
  if (!run || run.thread.deletedAt !== null) return null;
  const { id, traceId, agentId, thread } = run;
  return { runId: id, traceId: shownTraceId(traceId), clientThreadId: thread.clientId, agentId };
}

/** What the run and its subagents wait for, longest wait first. */
export async function openAsksOf(database: Database, runId: string): Promise<Interrupt[]> {
  return listOpenAsks(database, await database.run.findUniqueOrThrow({ where: { id: runId } }));
}

/** Decides open asks of the viewer's run by a client's replies, by `keyOfAsk`. Replies to other asks are ignored. */
export async function answerAsks(
  services: Services,
  viewer: Viewer,
  runId: string,
  replies: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const ask of await openAsksOf(services.database, runId)) {
    const key = keyOfAsk(ask);
    if (!Object.hasOwn(replies, key)) continue;
    await decideAsk(services, viewer, { runId, ask }, decisionOfReply(ask, replies[key]));
  }
}

/** Decisions that came first, on another surface, are as good. */
const OVERTAKEN: readonly ErrorCode[] = ["not_found", "not_waiting", "conflict"];
/** What the person may not or can't say: the call is denied, with the reason for the agent. */
const UNFIT: readonly ErrorCode[] = ["invalid_input", "forbidden", "input_blocked"];

/** An open ask of a run or of its subagents. */
interface AskOfRun {
  readonly runId: string;
  readonly ask: Interrupt;
}

/** Applies a decision with the viewer's rights. Throws `not_available` if the agent was deleted. */
export async function decideAsk(
  services: Services,
  viewer: Viewer,
  { runId, ask }: AskOfRun,
  decision: Decision,
): Promise<void> {
  const decider = { ...viewer, via: "api", isAdmin: hasAdminScope(viewer) } as const;
  try {
    await decideOnRun(services, { runId, decider, decisions: [decision] });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (OVERTAKEN.includes(error.code)) return;
    if (decision.decision === "deny" || !UNFIT.includes(error.code)) throw error;
    await decideAsk(services, viewer, { runId, ask }, denied(ask, error.message));
  }
}
