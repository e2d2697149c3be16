import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import type { TraceFilters, TraceList } from "@/lib/schema/traces/trace";
import type { Viewer } from "@/lib/schema/users/user";
import { database } from "@/lib/server/platform/db/database";
import { findsText } from "@/lib/server/platform/db/dialect";
import { CursorId, pageCursors, pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { foldNewTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import { selectTracesWith } from "@/lib/server/platform/db/queries/search/trace-index";
import { withLiveFigures } from "./live-figures";
import { DRAFT_VERSION } from "./open-trace";
import { visibleTo } from "./trace-access";
import { toTraceSummaries } from "./trace-summaries";

const durationCursors = pageCursors(z.tuple([z.number(), CursorId]));

/**
 * Traces, newest first or sorted by `sort`, a page at a time (keyset). Admins get everyone's unless `mine`. `status`
 * and `agentId` may name several, separated by commas; `q` is the id of a trace, run or thread, otherwise a part of
 * titles, errors and models. Throws `invalid_input` for an unknown status or cursor.
 */
export async function listTraces(viewer: Viewer, filters: TraceFilters): Promise<TraceList> {
  const { limit, cursor } = filters;
  const db = database();
  const { column, behind, write } = ORDERS[filters.sort ?? "started"];
  const text = filters.q?.trim() ?? "";
  const unfolded = text === "" ? 0 : await foldNewTexts(db, ["trace"]);
  const found = text === "" ? {} : ((await namedBy(text, viewer)) ?? (await mentioning(text, unfolded === 0)));
  const rows = await db.trace.findMany({
    where: { AND: [visibleTo(viewer), filterBy(viewer, filters), found, behind(cursor)] },
    orderBy: [{ [column]: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, write);
  const traces = await toTraceSummaries(db, await withLiveFigures(db, page));
  return { traces, nextCursor, ...(unfolded > 0 ? { unfolded } : {}) };
}

interface SortedRow {
  readonly id: string;
  readonly startedAt: Date;
  readonly workedMs: number | null;
  readonly waitedMs: number;
}

const ORDERS = {
  started: {
    column: "startedAt",
    behind: (cursor: string | undefined) => timeCursors.behind(cursor, "startedAt", "descending"),
    write: ({ startedAt, id }: SortedRow) => timeCursors.write(startedAt, id),
  },
  worked: longestFirst("workedMs"),
  waited: longestFirst("waitedMs"),
} as const;

/** Only ended traces: how long the others take is not known yet. */
function longestFirst(column: "workedMs" | "waitedMs") {
  const hasEnded = { workedMs: { not: null } };
  return {
    column,
    behind(cursor: string | undefined) {
      if (cursor === undefined) return hasEnded;
      const [ms, id] = durationCursors.read(cursor);
      return { AND: [hasEnded, { OR: [{ [column]: { lt: ms } }, { [column]: ms, id: { lt: id } }] }] };
    },
    write: (row: SortedRow) => durationCursors.write(row[column] ?? 0, row.id),
  };
}

function filterBy(viewer: Viewer, filters: TraceFilters) {
  const since = filters.since === undefined ? {} : { gte: new Date(filters.since) };
  const until = filters.until === undefined ? {} : { lt: new Date(filters.until) };
  return {
    agentVersion: filters.drafts ? DRAFT_VERSION : { not: DRAFT_VERSION },
    ...(filters.mine ? { ownerId: viewer.id } : {}),
    ...(filters.agentId ? { agentId: { in: filters.agentId.split(",") } } : {}),
    ...(filters.status ? { status: { in: parseList(filters.status, "status", RunStatus) } } : {}),
    ...(filters.origin ? { origin: { in: parseList(filters.origin, "origin", RunOriginKind) } } : {}),
    ...(filters.attended === undefined ? {} : { attended: filters.attended }),
    ...(filters.model ? { model: filters.model } : {}),
    ...(filters.since || filters.until ? { startedAt: { ...since, ...until } } : {}),
  };
}

function parseList<T extends string>(text: string, name: string, known: z.ZodType<T> & { options: T[] }): T[] {
  return text.split(",").map((word) => {
    const found = known.safeParse(word);
    if (found.success) return found.data;
    const message = `is not one of ${known.options.join(", ")}`;
    throw new AppError("invalid_input", `${name} ${message}`, { details: [{ path: name, message }] });
  });
}

/** The traces with exactly this id, found by an index: a search of all titles would read every trace. */
async function namedBy(text: string, viewer: Viewer) {
  const db = database();
  for (const where of [{ id: text }, { runId: text }]) {
    if (await db.trace.findFirst({ where: { AND: [visibleTo(viewer), where] }, select: { id: true } })) return where;
  }
  const thread = await db.thread.findUnique({ where: { id: text }, select: { id: true } });
  return thread === null ? null : { threadId: text };
}

/** By the index if it has all traces, unless so many have the text that a page is soon full without it. */
async function mentioning(text: string, isWhole: boolean) {
  const few = isWhole ? await selectTracesWith(database(), text) : null;
  // The thread of an old trace may be gone.
  const OR = [...findsText(database().dialect, text, ["title", "error", "model"]), { threadId: text }];
  return few === null ? { OR } : { id: { in: few }, OR };
}
