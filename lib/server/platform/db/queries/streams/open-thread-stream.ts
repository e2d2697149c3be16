import { type Expression, sql } from "kysely";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { threadMark } from "./marks";
import { headOf, OPENING_JOINS, type RunOpening, readOpening } from "./opening-run";
import { isReadable } from "./readable-thread";

/** What a reader already has: that run, up to that row, or all of it. */
export interface ThreadCursor {
  readonly runId: string;
  readonly seq: number | null;
}

/** Where the stream of a thread begins, at one moment. */
export interface ThreadOpening {
  readonly compactionCount: number;
  readonly mark: string;
  /** The run of the cursor; null without one, and if what follows it can no longer be sent. */
  readonly place: { readonly id: string; readonly position: number; readonly isReceived: boolean } | null;
  /** The run to send first; null while there is none. */
  readonly run: { readonly id: string; readonly opening: RunOpening | null } | null;
  /** Whether another run follows that one. */
  readonly hasNext: boolean;
}

/**
 * The run that the cursor points to unless the reader has received all of it; then the run after it. Without a cursor
 * the current or last run. Null for a thread that the viewer can't read.
 */
export async function selectThreadToStream(
  database: Database,
  threadId: string,
  { viewer, cursor }: { readonly viewer: Reader; readonly cursor: ThreadCursor | null },
): Promise<ThreadOpening | null> {
  const ofThread = rootRuns(threadId);
  const begun = ofThread.select("n.id").where("n.epoch", ">", 0).orderBy("n.position", "desc").limit(1);
  const first = sql<string | null>`coalesce(${begun}, ${nextRun(threadId, sql.lit(0))})`;
  const run = sql<string | null>`case when c."id" is null then ${first}
    when ${IS_RECEIVED} then ${nextRun(threadId, sql.ref("c.position"))} else c."id" end`;
  const newest = build.selectFrom("run as x").select((eb) => eb.fn.max("x.position").as("position"));
  const more = {
    compactionCount: sql.ref("t.compactionCount"),
    newest: sql`${newest.where("x.threadId", "=", threadId)}`,
    place: sql.ref("c.id"),
    placePosition: sql.ref("c.position"),
    isReceived: IS_RECEIVED,
    next: sql`${nextRun(threadId, sql.ref("r.position"))}`,
  };
  const opened = await readOpening<Read>((log) =>
    database.execute(
      build
        .selectFrom("thread as t")
        .leftJoin(placeOf(threadId, cursor).as("c"), (join) => join.onTrue())
        .leftJoin("run as r", (join) => join.on((eb) => eb("r.id", "=", run)))
        .leftJoin("run_event as e", (join) => join.on(OPENING_JOINS.log).on(log))
        .leftJoin("run as w", (join) => join.on(OPENING_JOINS.run))
        .leftJoin("transcript_message as m", (join) => join.on(OPENING_JOINS.message))
        .select(headOf(database.dialect, more).as("head"))
        .select(["e.seq", "e.data", "e.createdAt"])
        .where("t.id", "=", threadId)
        .where(isReadable(viewer))
        .orderBy("e.seq"),
    ),
  );
  if (!opened) return null;
  const { compactionCount, place, placePosition, isReceived, newest: last, next, id } = opened.head;
  return {
    compactionCount,
    mark: threadMark({ id: threadId, compactionCount, deletedAt: null, last }),
    place: place === null ? null : { id: place, position: placePosition, isReceived: Boolean(isReceived) },
    run: id === null ? null : { id, opening: opened.opening },
    hasNext: next !== null,
  };
}

interface Read {
  readonly id: string | null;
  readonly compactionCount: number;
  readonly newest: number | null;
  readonly place: string | null;
  readonly placePosition: number;
  /** A number on SQLite. */
  readonly isReceived: boolean | number | null;
  readonly next: string | null;
}

/** Those that people see, as `n`. */
function rootRuns(threadId: string) {
  return build.selectFrom("run as n").where("n.threadId", "=", threadId).where("n.parentRunId", "is", null);
}

/**
 * The run after that position. One that was cancelled before any process claimed it is none: its message was removed
 * from the queue.
 */
function nextRun(threadId: string, position: Expression<number>) {
  return rootRuns(threadId)
    .select("n.id")
    .where("n.position", ">", position)
    .where("n.heldAt", "is", null)
    .where((eb) => eb.not(eb.and([eb("n.status", "=", "cancelled"), eb("n.epoch", "=", 0)])))
    .orderBy("n.position")
    .limit(1);
}

const IS_RECEIVED = sql`c."hasEnded" = 1 and (c."sent" is null or c."sent" = c."last")`;

/** The run of the cursor, unless the cursor is ahead of its log. */
function placeOf(threadId: string, cursor: ThreadCursor | null) {
  const last = build
    .selectFrom("run_event as x")
    .select((eb) => eb.fn.max("x.seq").as("seq"))
    .whereRef("x.runId", "=", sql.ref("n.id"));
  const sent = sql<number | null>`cast(${cursor?.seq ?? null} as bigint)`;
  return rootRuns(threadId)
    .select(["n.id", "n.position", last.as("last"), sent.as("sent")])
    .select(sql<number>`case when n."status" in ('queued', 'running', 'waiting') then 0 else 1 end`.as("hasEnded"))
    .where("n.id", "=", cursor?.runId ?? "")
    .where(() => sql<boolean>`(${sent} is null or ${sent} <= ${last})`);
}
