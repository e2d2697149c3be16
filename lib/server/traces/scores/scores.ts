import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Score, ScoreBody, ScoreQuery } from "@/lib/schema/traces/score";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach, runInReach } from "@/lib/server/platform/within-reach";
import { auditTraceAccess } from "@/lib/server/traces/audit-trace-access";
import { rootSpanId } from "@/lib/server/traces/open-trace";
import { traceNotFound, visibleTo } from "@/lib/server/traces/trace-access";

const WITH_AUTHOR = { author: { select: { name: true } } } as const;
const OLDEST_FIRST = [{ createdAt: "asc" as const }, { id: "asc" as const }];

/**
 * The scores of a run or of a thread's runs, whoever gave them, oldest first. Only runs that the viewer may see; an
 * admin's look at another person's is audited.
 */
export async function listScores(
  services: Services,
  viewer: Viewer,
  { runId, threadId }: ScoreQuery,
): Promise<Score[]> {
  const rows = await services.database.score.findMany({
    where: { ...(runId === undefined ? { threadId } : { runId }), trace: visibleTo(viewer) },
    include: { ...WITH_AUTHOR, trace: { select: { id: true, ownerId: true, threadId: true } } },
    orderBy: OLDEST_FIRST,
  });
  const traces = new Map(rows.map(({ trace }) => [trace.id, trace]));
  await auditTraceAccess(services, viewer, ...traces.values());
  return rows.map((row) => (row.authorId === viewer.id ? toScore(row) : masked(toScore(row))));
}

/** A trace's scores, as traces show them. */
export async function loadScores(db: Database, traceId: string): Promise<Score[]> {
  const rows = await db.score.findMany({ where: { traceId }, include: WITH_AUTHOR, orderBy: OLDEST_FIRST });
  return rows.map((row) => masked(toScore(row)));
}

/**
 * Stores the viewer's thumb on a run, replacing their previous one. Throws `not_found` for a run that the viewer may
 * not see, and `conflict` if its trace was purged.
 */
export async function giveScore(
  database: Database,
  viewer: Viewer,
  { runId, name, value, why, correction }: ScoreBody,
): Promise<Score> {
  const trace = await database.trace.findFirst({
    where: { ...visibleTo(viewer), runId },
    select: { id: true, threadId: true },
  });
  if (!trace) throw await whyNoTrace(database, viewer, runId);
  const given = { value, why: why || null, correction: correction || null };
  const of = { runId, spanId: rootSpanId(runId), name, authorId: viewer.id };
  const row = await database.score.upsert({
    where: { runId_spanId_name_authorId: of },
    create: { id: createId("sco"), traceId: trace.id, threadId: trace.threadId, ...of, ...given },
    update: given,
    include: WITH_AUTHOR,
  });
  return toScore(row);
}

async function whyNoTrace(database: Database, viewer: Viewer, runId: string): Promise<AppError> {
  const owner = hasAdminScope(viewer) ? {} : { ownerId: viewer.id };
  const where = { ...owner, ...runInReach(viewer), id: runId, parentRunId: null };
  if (!(await database.run.findFirst({ where, select: { id: true } }))) return traceNotFound();
  return new AppError("conflict", "The trace of this reply is gone, and a thumb is kept in it. Nothing was stored.");
}

/** Removes the viewer's own score. Throws `not_found` for another person's. */
export async function removeScore(database: Database, viewer: Viewer, id: string): Promise<void> {
  const { count } = await database.score.deleteMany({
    where: { id, authorId: viewer.id, trace: homeInReach(viewer) },
  });
  if (count === 0) throw new AppError("not_found", "There is no such thumb of yours.");
}

function masked(score: Score): Score {
  const { why, correction } = score;
  return { ...score, why: why && maskText(why), correction: correction && maskText(correction) };
}

interface ScoreRow {
  readonly id: string;
  readonly runId: string;
  readonly spanId: string;
  readonly name: string;
  readonly value: number;
  readonly why: string | null;
  readonly correction: string | null;
  readonly authorId: string;
  readonly author: { readonly name: string };
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

function toScore({ author, createdAt, updatedAt, ...row }: ScoreRow): Score {
  const { id, runId, spanId, name, value, why, correction, authorId } = row;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { id, runId, spanId, name, value, why, correction, authorId, authorName: author.name, ...times };
}
