import type { Database } from "@/lib/server/platform/db/database";
import type { SqlValue } from "@/lib/server/platform/db/dialect";

// A thread's root runs are a tree (D-88). A path leads from its root to one run, the leaf. A thread without branches
// has only one path, so nothing looks for it.

/**
 * Which runs of a thread: up to and including `leaf` (null: none). Without `leaf`, the branch that the thread shows.
 */
export interface ThreadPath {
  readonly threadId: string;
  readonly leaf?: string | null;
}

/** Replaces the run id in copied messages: they come before all runs of their thread, on every path. */
export const COPIED = "copied";

/** The ids of the runs on the path that ends with the run bound to `parameter`, and of what comes before them. */
function pathIds(parameter: string): string {
  return `(with recursive "path" ("id", "afterRunId") as (
      select r."id", r."afterRunId" from "run" r where r."id" = ${parameter}
      union all select r."id", r."afterRunId" from "run" r join "path" p on r."id" = p."afterRunId")
    select "id" from "path" union all select '${COPIED}')`;
}

export async function isOnPath(database: Database, runId: string, leaf: string | null): Promise<boolean> {
  const rows = await database.raw(`select 1 as "found" where $1 in ${pathIds("$2")}`, [runId, leaf]);
  return rows.length > 0;
}

/** The result of a path's compactions. */
interface PathSummary {
  readonly summary: string | null;
  readonly compactionCount: number;
  /** The last message that the summary replaces, and its position. */
  readonly cutMessageId: string | null;
  readonly cut: number | null;
}

/** A resolved path: `leaf` is null if the whole thread is on it. */
export interface KnownPath extends PathSummary {
  readonly threadId: string;
  readonly isBranched: boolean;
  readonly leaf: string | null;
}

const NO_SUMMARY: PathSummary = { summary: null, compactionCount: 0, cutMessageId: null, cut: null };

/** One statement for a thread without branches, two for others. */
export async function selectKnownPath(database: Database, { threadId, leaf }: ThreadPath): Promise<KnownPath> {
  const [thread] = await database.raw<ThreadRow>(
    `select t."isBranched", t."leafRunId", c."summary", c."cutMessageId", c."count" as "compactionCount",
        m."position" as "cut"
      from "thread" t
      left join "compaction" c on not t."isBranched" and c."id" = (
        select x."id" from "compaction" x where x."threadId" = t."id" and x."cutMessageId" is not null
        order by x."count" desc limit 1)
      left join "message" m on m."id" = c."cutMessageId"
      where t."id" = $1`,
    [threadId],
  );
  if (!thread) return { ...NO_SUMMARY, threadId, isBranched: false, leaf: null };
  const { isBranched: flag, leafRunId, ...newest } = thread;
  const summary = newest.compactionCount === null ? NO_SUMMARY : { ...newest, compactionCount: newest.compactionCount };
  if (!flag) return { ...summary, threadId, isBranched: false, leaf: null };
  const end = leaf === undefined ? leafRunId : leaf;
  return { ...(await selectSummaryOfPath(database, threadId, end)), threadId, isBranched: true, leaf: end };
}

type ThreadRow = Omit<PathSummary, "compactionCount"> & {
  readonly isBranched: boolean | number;
  readonly leafRunId: string | null;
  readonly compactionCount: number | null;
};

/** Of the compactions whose cut is on the path, the one that replaces most. */
async function selectSummaryOfPath(database: Database, threadId: string, leaf: string | null): Promise<PathSummary> {
  const [found] = await database.raw<PathSummary>(
    `select c."summary", c."cutMessageId", c."count" as "compactionCount", m."position" as "cut"
      from "compaction" c join "message" m on m."id" = c."cutMessageId"
      where c."threadId" = $1 and m."runId" in ${pathIds("$2")}
      order by m."position" desc, c."count" desc limit 1`,
    [threadId, leaf],
  );
  return found ?? NO_SUMMARY;
}

/** A condition for rows of the thread that have the run's id in `column`; `parameter` is then bound to `path.leaf`. */
export function onPath(path: Pick<KnownPath, "isBranched" | "leaf">, column: string, parameter: string) {
  return path.isBranched
    ? { sql: `and ${column} in ${pathIds(parameter)}`, parameters: [path.leaf] satisfies SqlValue[] }
    : { sql: "", parameters: [] };
}

/** A memory flush: `count` compactions of the path that ends with `afterRunId` came before it. */
interface Flush {
  readonly id: string;
  readonly threadId: string;
  readonly afterRunId: string;
  readonly count: number;
}

/** Marks the path's cycle as flushed; false if it already was. */
export async function claimFlush(database: Database, { id, threadId, afterRunId, count }: Flush): Promise<boolean> {
  const rows = await database.raw(
    `insert into "compaction" ("id", "threadId", "afterRunId", "count", "flushed", "createdAt")
      select $1, $2, $3, $4, true, ${database.dialect.clock()} where not exists (
        select 1 from "compaction" x where x."threadId" = $2 and x."count" = $4 and x."flushed"
          and x."afterRunId" in ${pathIds("$3")})
      returning "id"`,
    [id, threadId, afterRunId, count],
  );
  return rows.length > 0;
}

/** Where a thread's next run goes: `leafRunId` is the run that it follows, `position` its position. */
export interface ThreadEnd {
  readonly leafRunId: string | null;
  readonly isBranched: boolean;
  readonly position: number;
  /** The thread's project and file scope; null if the agent decides. */
  readonly projectId: string | null;
  readonly fileScope: string | null;
  /** The board that the thread works for. */
  readonly boardId: string | null;
}

/** While the thread's lock is held, the position stays free. */
export async function selectThreadEnd(database: Database, threadId: string): Promise<ThreadEnd> {
  const [row] = await database.raw<
    Omit<ThreadEnd, "isBranched"> & { isBranched: boolean | number; last: number | null }
  >(
    `select t."leafRunId", t."isBranched", t."projectId", t."fileScope", t."boardId",
        (select max(r."position") from "run" r where r."threadId" = t."id") as "last"
      from "thread" t where t."id" = $1`,
    [threadId],
  );
  return {
    leafRunId: row?.leafRunId ?? null,
    isBranched: Boolean(row?.isBranched),
    position: (row?.last ?? 0) + 1,
    projectId: row?.projectId ?? null,
    fileScope: row?.fileScope ?? null,
    boardId: row?.boardId ?? null,
  };
}

/** The plan, as JSON, that the path's last run with one left; null if none did. */
export async function selectTodos(database: Database, { threadId, leaf }: ThreadPath): Promise<string | null> {
  const isOn =
    leaf === undefined
      ? `(not t."isBranched" or r."id" in ${pathIds(`t."leafRunId"`)})`
      : `(not t."isBranched" or r."id" in ${pathIds("$2")})`;
  const [row] = await database.raw<{ todos: string | null }>(
    `select r."todos" from "run" r join "thread" t on t."id" = r."threadId"
      where r."threadId" = $1 and r."todos" is not null and r."parentRunId" is null and ${isOn}
      order by r."position" desc limit 1`,
    leaf === undefined ? [threadId] : [threadId, leaf],
  );
  return row?.todos ?? null;
}

/** A root run in the tree of its thread. */
export interface TreeRun {
  readonly id: string;
  readonly afterRunId: string | null;
  readonly regeneratesRunId: string | null;
  readonly assistantMessageId: string;
}

/** A thread's root runs, in the order in which they were accepted; held ones have no place in the tree yet. */
export function selectTree(database: Database, threadId: string): Promise<TreeRun[]> {
  return database.raw<TreeRun>(
    `select "id", "afterRunId", "regeneratesRunId", "assistantMessageId" from "run"
      where "threadId" = $1 and "parentRunId" is null and "heldAt" is null order by "position", "id"`,
    [threadId],
  );
}
