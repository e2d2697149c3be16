import "server-only";
import type { ResumeBody } from "@/lib/schema/apis/invoke";
import { AppError } from "@/lib/schema/app-error";
import type { Decision } from "@/lib/schema/runs/interrupt";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { lastSeq } from "@/lib/server/engine/log/read-events";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { findClientThread } from "@/lib/server/threads/open-thread";
import type { StreamFormat } from "@/lib/server/views/stream-run";
import { asksOfThread, isAbout } from "./asks-of-thread";
import { answerAtEnd, streamAttached } from "./invoke-agent";

interface Resumption {
  readonly agentId: string;
  /** Must exist if given; the run keeps its own version. */
  readonly version: string | undefined;
  readonly viewer: Viewer;
  readonly body: ResumeBody;
  readonly format: StreamFormat;
  /**
   * Aborts when the client disconnects: the run is then cancelled unless the body says `detach`, as in `/invoke`
   * (D-46).
   */
  readonly signal: AbortSignal;
}

/**
 * Applies decisions on the questions of the thread's run and its subagents, and continues the run: answers when it has
 * ended or needs a person again, or streams what follows the decision. Throws `not_found` for an unknown thread or
 * call, `not_waiting`, `conflict`, `invalid_input`.
 */
export async function resumeAgent(
  services: Services,
  { agentId, version, viewer, body, format, signal }: Resumption,
): Promise<Response> {
  const { database } = services;
  await namedVersion(services, agentId, version, viewer);
  const thread = await findClientThread(database, { viewer, agentId }, body.thread_id);
  if (!thread) throw new AppError("not_found", "Thread not found.");
  const { run, after: cursor } = await applyDecisions(services, { thread, viewer, decisions: body.decisions });
  const client = { ownerId: viewer.id, signal, detach: body.detach };
  return body.stream
    ? streamAttached(services, run, client, { format, cursor })
    : answerAtEnd(services, run, client, cursor);
}

interface Decided {
  readonly thread: { readonly id: string; readonly clientId: string };
  readonly viewer: Viewer;
  readonly decisions: readonly Decision[];
  /** The name that each decision has in the request; by default `decisions.0` and so on. */
  readonly places?: readonly string[];
}

/** Applies the decisions; returns the run that goes on, and the number of its last row before. */
export async function applyDecisions(services: Services, decided: Decided) {
  const { database } = services;
  const { thread, viewer, decisions, places = decisions.map((_, at) => `decisions.${at}`) } = decided;
  const groups = await groupByRoot(database, thread.id, decisions, places);
  const [followed] = groups.toSorted((one, other) => Number(other.isWaiting) - Number(one.isWaiting));
  const root = await database.run.findUniqueOrThrow({
    where: { id: followed?.rootRunId ?? "" },
    select: { id: true, traceId: true },
  });
  const after = await lastSeq(database, root.id);
  const decider = { ...viewer, via: "api", isAdmin: hasAdminScope(viewer) } as const;
  for (const group of groups) {
    const request = { runId: group.rootRunId, decider, decisions: group.decisions };
    await decideOnRun(services, request).catch((error: unknown) => {
      throw inPlace(error, group.places);
    });
  }
  const run = { runId: root.id, traceId: shownTraceId(root.traceId), clientThreadId: thread.clientId };
  return { run, after };
}

interface DecisionsOfRoot {
  readonly rootRunId: string;
  readonly isWaiting: boolean;
  readonly decisions: Decision[];
  readonly places: string[];
}

/** A problem of one of the decisions, under the name that it has in the request. */
function inPlace(error: unknown, places: readonly string[]): unknown {
  const [problem] = error instanceof AppError && Array.isArray(error.details) ? error.details : [];
  if (typeof problem?.path !== "string" || !problem.path.startsWith("decisions.")) return error;
  const [, at, ...rest] = problem.path.split(".");
  const path = [places[Number(at)], ...rest].join(".");
  return new AppError("invalid_input", `${path}: ${problem.message}`, { details: [{ ...problem, path }] });
}

/**
 * Groups the decisions by the root run of the asking tree: the thread's waiting run, or an ended one with a subagent
 * still in the background. A decision on something that no run asked goes to the waiting run, which refuses it.
 */
async function groupByRoot(
  database: Database,
  threadId: string,
  decisions: readonly Decision[],
  places: readonly string[],
): Promise<DecisionsOfRoot[]> {
  const asks = await asksOfThread(database, threadId, decisions);
  const waiting = await database.run.findFirst({ where: { threadId, status: "waiting" }, select: { id: true } });
  const groups = new Map<string, DecisionsOfRoot>();
  for (const [at, decision] of decisions.entries()) {
    const rootRunId = asks.findLast((ask) => isAbout(decision, ask))?.rootRunId ?? waiting?.id;
    if (rootRunId === undefined) throw new AppError("not_waiting", "No run of this thread is waiting for a decision.");
    const known = groups.get(rootRunId) ?? {
      rootRunId,
      isWaiting: rootRunId === waiting?.id,
      decisions: [],
      places: [],
    };
    known.decisions.push(decision);
    known.places.push(places[at] ?? "");
    groups.set(rootRunId, known);
  }
  return [...groups.values()];
}
