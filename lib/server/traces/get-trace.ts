import "server-only";
import type { Trace } from "@/lib/schema/trace";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import { parseTimestamp } from "../db-dialect";
import { withLiveFigures } from "./live-figures";
import { recordTraceLook } from "./record-trace-look";
import { lightSpan, type SpanRow, toSpan } from "./span-row";
import { traceNotFound, visibleTo } from "./trace-access";
import { toTraceSummaries } from "./trace-summaries";

/**
 * One trace with its spans in order of their start; `id` may be the trace's or its run's. `light` spans have long
 * attributes cut, `full` ones are as stored. Throws `not_found` for somebody else's; an admin's look at it is audited.
 */
export async function getTrace(viewer: Viewer, id: string, detail: "light" | "full"): Promise<Trace> {
  const db = database();
  const row = await db.trace.findFirst({ where: { AND: [visibleTo(viewer), { OR: [{ id }, { runId: id }] }] } });
  if (!row) throw traceNotFound();
  await recordTraceLook(viewer, row);
  const [[summary], rows] = await Promise.all([
    withLiveFigures(db, [row]).then((figures) => toTraceSummaries(db, figures)),
    db.raw<StoredSpan>(SPANS_OF_TRACE, [row.id]),
  ]);
  if (!summary) throw traceNotFound();
  const spans = rows.map(fromRaw).map(toSpan);
  return { ...summary, spans: detail === "light" ? spans.map(lightSpan) : spans, droppedSpans: row.droppedSpans };
}

type StoredSpan = Omit<SpanRow, "startedAt" | "endedAt"> & { startedAt: string; endedAt: string | null };

/** Raw, for a trace may have ten thousand: Prisma takes four times as long. */
const SPANS_OF_TRACE = `select "id", "traceId", "runId", "parentId", "type", "name", "status", "attributes", "error",
    "startedAt", "endedAt"
  from "span" where "traceId" = $1 order by "startedAt", "id"`;

function fromRaw(row: StoredSpan): SpanRow {
  return { ...row, startedAt: parseTimestamp(row.startedAt), endedAt: parseTimestamp(row.endedAt) };
}
