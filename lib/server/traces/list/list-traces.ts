import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { TraceFilters, TraceList } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { CursorId, pageCursors, pageOfRows } from "@/lib/server/platform/db/page-of-rows";
import { isKeyOf, selectTracePage, type TracePlace } from "@/lib/server/platform/db/queries/trace-list/page";
import type { Services } from "@/lib/server/platform/services";
import { withLiveFigures } from "@/lib/server/traces/live-figures";
import { toTraceSummaries } from "@/lib/server/traces/trace-summaries";
import { selectionOf } from "./trace-selection";

/** 200 characters of a title may be twice as many units. */
const MOST_KEY_LENGTH = 400;

const cursors = pageCursors(z.tuple([z.union([z.string().max(MOST_KEY_LENGTH), z.number()]), CursorId]));

/**
 * Traces, newest first or sorted by `sort`, a page at a time (keyset). Admins get everyone's unless `mine`. What names
 * values may name several, separated by commas; `q` is the id of a trace, run or thread, otherwise a part of titles,
 * messages, errors, models and notes. Throws `invalid_input` for an unknown status, origin or cursor.
 */
export async function listTraces(services: Services, viewer: Viewer, filters: TraceFilters): Promise<TraceList> {
  const { database } = services;
  const { limit, cursor, sort: order = "started" } = filters;
  const after = cursor === undefined ? null : placeOf(cursor, order);
  const { selection, waiting } = await selectionOf(services, viewer, filters);
  const places =
    selection === null ? [] : await selectTracePage(database, selection, { order, after, limit: limit + 1 });
  const { page, nextCursor } = pageOfRows(places, limit, ({ key, id }) => cursors.write(key, id));
  const rows = await database.trace.findMany({ where: { id: { in: page.map(({ id }) => id) } } });
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const inOrder = page.flatMap(({ id }) => rowById.get(id) ?? []);
  const traces = await toTraceSummaries(services, await withLiveFigures(database, inOrder));
  const counts = Object.entries(waiting).filter(([, count]) => count > 0);
  return { traces, nextCursor, ...Object.fromEntries(counts) };
}

/** Throws `invalid_input` for a cursor of another order. */
function placeOf(cursor: string, order: NonNullable<TraceFilters["sort"]>): TracePlace {
  const [key, id] = cursors.read(cursor);
  if (isKeyOf(order, key)) return { key, id };
  const message = "Use the nextCursor of the page before.";
  throw new AppError("invalid_input", `cursor: ${message}`, { details: [{ path: "cursor", message }] });
}
