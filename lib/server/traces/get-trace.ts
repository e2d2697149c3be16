import "server-only";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { FIRST_SIGNS } from "@/lib/server/engine/ending/plan";
import type { Database } from "@/lib/server/platform/db/database";
import { type SpanRow, selectSpans } from "@/lib/server/platform/db/queries/spans";
import type { Services } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";
import { auditTraceAccess } from "./audit-trace-access";
import { withLiveFigures } from "./live-figures";
import { findShownPrompts, withoutPrompt } from "./prompt-access";
import { flushSpans } from "./recorder";
import { isTraceSampled } from "./sample";
import { loadScores } from "./scores/scores";
import { lightSpan, toSpan } from "./to-span";
import { traceNotFound, visibleTo } from "./trace-access";
import { type TraceRow, toTraceSummaries } from "./trace-summaries";
import { loadWaits, withWaits } from "./waits";

/**
 * One trace with its spans in order of their start; `id` may be the trace's or its run's. `light` spans have long
 * attributes cut, `full` ones are as stored, except for system texts that the viewer may not read. Throws `not_found`
 * for someone else's; an admin's access to it is audited.
 */
export async function getTrace(
  services: Services,
  viewer: Viewer,
  id: string,
  detail: "light" | "full",
): Promise<Trace> {
  const { database } = services;
  const row = await database.trace.findFirst({ where: { AND: [visibleTo(viewer), { OR: [{ id }, { runId: id }] }] } });
  if (!row) throw traceNotFound();
  await auditTraceAccess(services, viewer, row);
  await flushSpans();
  const [[summary], rows, waits, scores, handoff, undone, replay] = await Promise.all([
    withLiveFigures(database, [await withFirstToken(database, row)]).then((figures) =>
      toTraceSummaries(services, figures),
    ),
    selectSpans(database, row.id),
    loadWaits(database, [row.runId]),
    loadScores(database, row.id),
    handoffLinks(database, row),
    undoOf(database, row.runId),
    row.origin === "replay" ? replayOf(database, row.runId) : undefined,
  ]);
  if (!summary) throw traceNotFound();
  const read =
    detail === "light"
      ? rows.map((span) => nameAgent(lightSpan(toSpan(span)), row.agentId, summary.agentName))
      : await readInFull(database, viewer, row.id, rows);
  const spans = withWaits(read, waits.get(row.runId) ?? []);
  const { droppedSpans } = row;
  const isSampled = await isTraceSampled(database, row);
  return {
    ...summary,
    spans,
    scores,
    ...(handoff ? { handoff } : {}),
    ...(undone ? { undone } : {}),
    ...(replay ? { replay } : {}),
    droppedSpans,
    isSampled,
  };
}

async function replayOf(db: Database, runId: string): Promise<Trace["replay"]> {
  const run = await db.run.findUnique({
    where: { id: runId },
    select: { replayId: true, replayOf: true, fromStep: true },
  });
  if (!run?.replayId || !run.replayOf || !run.fromStep) return undefined;
  return { id: run.replayId, runId: run.replayOf, fromStep: run.fromStep };
}

async function undoOf(db: Database, runId: string): Promise<Trace["undone"]> {
  const undo = await db.undo.findFirst({ where: { runId, state: "done" }, select: { actorId: true, endedAt: true } });
  if (!undo?.endedAt) return undefined;
  const names = await userNames(db, [undo.actorId]);
  return { by: names.get(undo.actorId) ?? "Somebody", at: undo.endedAt.toISOString() };
}

/** People know the trace's agent by its name; the full record keeps its id. */
function nameAgent(span: Span, agentId: string, agentName: string): Span {
  return span.type === "agent" && span.name === agentId ? { ...span, name: agentName } : span;
}

async function readInFull(
  database: Database,
  viewer: Viewer,
  traceId: string,
  rows: readonly SpanRow[],
): Promise<Span[]> {
  const showsPrompt = await findShownPrompts(database, viewer, traceId);
  return rows.map((row) => (showsPrompt(row.runId) ? toSpan(row) : withoutPrompt(toSpan(row))));
}

/** A running run's row gets this figure at its end; until then the run's events contain it. */
async function withFirstToken<Row extends TraceRow>(db: Database, row: Row): Promise<Row> {
  if (row.endedAt !== null) return row;
  const { runId } = row;
  const [started, first] = await Promise.all(
    [["run.started"], FIRST_SIGNS].map((types) =>
      db.runEvent.findFirst({
        where: { runId, type: { in: [...types] } },
        orderBy: { seq: "asc" },
        select: { createdAt: true },
      }),
    ),
  );
  if (!started || !first) return row;
  return { ...row, timeToFirstTokenMs: Math.max(0, first.createdAt.getTime() - started.createdAt.getTime()) };
}

/** The runs that handed the conversation to this one, and that this one handed it to; undefined if there are none. */
async function handoffLinks(
  db: Database,
  { runId, threadId }: { readonly runId: string; readonly threadId: string },
): Promise<Trace["handoff"]> {
  const [run, next] = await Promise.all([
    db.run.findUnique({ where: { id: runId }, select: { origin: true, afterRunId: true } }),
    db.run.findFirst({
      where: { threadId, afterRunId: runId, origin: "handoff" },
      select: { id: true },
      orderBy: { id: "asc" },
    }),
  ]);
  const fromRunId = run?.origin === "handoff" ? run.afterRunId : null;
  const toRunId = next?.id ?? null;
  return fromRunId === null && toRunId === null ? undefined : { fromRunId, toRunId };
}
