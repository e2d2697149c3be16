import "server-only";
import type { Trace } from "@/lib/schema/trace";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import { recordTraceLook } from "./record-trace-look";
import { lightSpan, toSpan } from "./span-row";
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
    toTraceSummaries(db, [row]),
    db.span.findMany({ where: { traceId: row.id }, orderBy: [{ startedAt: "asc" }, { id: "asc" }] }),
  ]);
  if (!summary) throw traceNotFound();
  const spans = rows.map(toSpan);
  return { ...summary, spans: detail === "light" ? spans.map(lightSpan) : spans, droppedSpans: row.droppedSpans };
}
