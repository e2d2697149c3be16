import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { RunStatus } from "@/lib/schema/runs/run";
import type { TraceFilters, TraceList } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { database } from "@/lib/server/platform/db/database";
import { containsText } from "@/lib/server/platform/db/dialect";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { withLiveFigures } from "./live-figures";
import { DRAFT_VERSION } from "./open-trace";
import { visibleTo } from "./trace-access";
import { toTraceSummaries } from "./trace-summaries";

/**
 * Traces, newest first, a page at a time (keyset). Admins get everyone's unless `mine`. `status` and `agentId` may
 * name several, separated by commas; `q` looks in titles, errors and ids. Throws `invalid_input` for an unknown
 * status or cursor.
 */
export async function listTraces(viewer: Viewer, filters: TraceFilters): Promise<TraceList> {
  const { limit, cursor } = filters;
  const db = database();
  const rows = await db.trace.findMany({
    where: {
      AND: [visibleTo(viewer), filterBy(viewer, filters), timeCursors.behind(cursor, "startedAt", "descending")],
    },
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ startedAt, id }) => timeCursors.write(startedAt, id));
  return { traces: await toTraceSummaries(db, await withLiveFigures(db, page)), nextCursor };
}

function filterBy(viewer: Viewer, filters: TraceFilters) {
  const since = filters.since === undefined ? {} : { gte: new Date(filters.since) };
  const until = filters.until === undefined ? {} : { lt: new Date(filters.until) };
  return {
    agentVersion: filters.drafts ? DRAFT_VERSION : { not: DRAFT_VERSION },
    ...(filters.mine ? { ownerId: viewer.id } : {}),
    ...(filters.agentId ? { agentId: { in: filters.agentId.split(",") } } : {}),
    ...(filters.status ? { status: { in: parseStatuses(filters.status) } } : {}),
    ...(filters.model ? { model: filters.model } : {}),
    ...(filters.since || filters.until ? { startedAt: { ...since, ...until } } : {}),
    ...(filters.q?.trim() ? { OR: mentions(filters.q.trim()) } : {}),
  };
}

function parseStatuses(text: string): RunStatus[] {
  return text.split(",").map((word) => {
    const found = RunStatus.safeParse(word);
    if (found.success) return found.data;
    const message = `is not one of ${RunStatus.options.join(", ")}`;
    throw new AppError("invalid_input", `status ${message}`, { details: [{ path: "status", message }] });
  });
}

function mentions(text: string) {
  const contains = containsText(database().dialect, text);
  const ids = [{ id: text }, { runId: text }, { threadId: text }];
  return [{ title: contains }, { error: contains }, { model: contains }, ...ids];
}
