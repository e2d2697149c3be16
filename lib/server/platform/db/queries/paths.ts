import { type Compilable, type CompiledQuery, type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { clock } from "@/lib/server/platform/db/kysely/clock";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";

// A thread's root runs are a tree (D-88). A path leads from its root to one run, the leaf. A thread without branches
// has only one path, so nothing looks for it.

/**
 * Which runs of a thread: up to and including `leaf` (null: none). Without `leaf`, the branch that the thread shows.
 */
export interface ThreadPath {
  readonly threadId: string;
  readonly leaf?: string | null;
  /** The path as it was when the run after `leaf` began, although the thread went on without branches. */
  readonly isThen?: true;
}

/** Replaces the run id in copied messages: they come before all runs of their thread, on every path. */
export const COPIED = "copied";

/** The ids of the runs on the path that ends with `leaf`, and of what comes before them. */
function pathIds(leaf: Expression<unknown>) {
  return build
    .withRecursive("path(id, afterRunId)", (cte) =>
      build
        .selectFrom("run as r")
        .select(["r.id", "r.afterRunId"])
        .where(sql<SqlBool>`r."id" = ${leaf}`)
        .unionAll(
          cte.selectFrom("run as r").innerJoin("path as p", "p.afterRunId", "r.id").select(["r.id", "r.afterRunId"]),
        ),
    )
    .selectFrom("path")
    .select(sql<string>`"id"`.as("id"))
    .unionAll(build.selectNoFrom(sql.lit(COPIED).as("id")));
}

export async function isOnPath(database: Database, runId: string, leaf: string | null): Promise<boolean> {
  const found = build.selectNoFrom(sql.lit(1).as("found")).where(sql<string>`${runId}`, "in", pathIds(sql`${leaf}`));
  return (await database.execute(found)).length > 0;
}

/** A condition for rows that have the run's id in `column`. */
type OnPath = (column: string) => Expression<SqlBool>;

interface Leaf {
  readonly leaf: string | null;
}

/** A hot statement for the rows of a path, built for threads with branches and for those without. */
export function pathStatement<Values extends object, Row>(
  create: (value: PlaceFor<Values>, onPath: OnPath) => Compilable<Row>,
): (path: Pick<KnownPath, "isBranched" | "leaf">, values: Values) => CompiledQuery<Row> {
  const ofWholeThread = hotStatement((value: PlaceFor<Values>) => create(value, () => sql.lit(true)));
  const ofBranch = hotStatement((value: PlaceFor<Values & Leaf>) =>
    create(value as PlaceFor<Values>, (column) => sql`${sql.ref(column)} in ${pathIds(value("leaf"))}`),
  );
  return ({ isBranched, leaf }, values) => (isBranched ? ofBranch({ ...values, leaf }) : ofWholeThread(values));
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

const threadPath = hotStatement((value: PlaceFor<{ threadId: string }>) =>
  build
    .selectFrom("thread as t")
    .leftJoin("compaction as c", (join) =>
      join
        .on((eb) => eb.not("t.isBranched"))
        .on("c.id", "=", (eb) =>
          eb
            .selectFrom("compaction as x")
            .select("x.id")
            .whereRef("x.threadId", "=", "t.id")
            .where("x.cutMessageId", "is not", null)
            .orderBy("x.count", "desc")
            .limit(sql.lit(1)),
        ),
    )
    .leftJoin("message as m", "m.id", "c.cutMessageId")
    .select(["t.isBranched", "t.leafRunId", "c.summary", "c.cutMessageId"])
    .select(["c.count as compactionCount", "m.position as cut"])
    .where("t.id", "=", value("threadId")),
);

/** One statement for a thread without branches, two for others. */
export async function selectKnownPath(database: Database, path: ThreadPath): Promise<KnownPath> {
  const { threadId, leaf, isThen = false } = path;
  const [thread] = await database.execute(threadPath({ threadId }));
  if (!thread) return { ...NO_SUMMARY, threadId, isBranched: false, leaf: null };
  const { leafRunId, ...newest } = thread;
  const isBranched = newest.isBranched || isThen;
  const { isBranched: _, ...known } = newest;
  const summary = known.compactionCount === null ? NO_SUMMARY : { ...known, compactionCount: known.compactionCount };
  if (!isBranched) return { ...summary, threadId, isBranched, leaf: null };
  const end = leaf === undefined ? leafRunId : leaf;
  const found = await selectSummaryOfPath(database, { threadId, leaf: end, isThen });
  return { ...found, threadId, isBranched, leaf: end };
}

interface SummarisedPath {
  readonly threadId: string;
  readonly leaf: string | null;
  /** Only compactions from before the run after `leaf`. */
  readonly isThen: boolean;
}

/** Of the compactions whose cut is on the path, the one that replaces most. */
async function selectSummaryOfPath(
  database: Database,
  { threadId, leaf, isThen }: SummarisedPath,
): Promise<PathSummary> {
  const [found] = await database.execute(
    build
      .selectFrom("compaction as c")
      .innerJoin("message as m", "m.id", "c.cutMessageId")
      .select(["c.summary", "c.cutMessageId", "c.count as compactionCount", "m.position as cut"])
      .where("c.threadId", "=", threadId)
      .where("m.runId", "in", pathIds(sql`${leaf}`))
      .$if(isThen, (compactions) => compactions.where("c.afterRunId", "in", pathIds(sql`${leaf}`)))
      .orderBy("m.position", "desc")
      .orderBy("c.count", "desc")
      .limit(1),
  );
  return found ?? NO_SUMMARY;
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
  const isFlushed = build
    .selectFrom("compaction as x")
    .select("x.id")
    .where("x.threadId", "=", threadId)
    .where("x.count", "=", count)
    .where("x.flushed", "=", sql.lit(true))
    .where("x.afterRunId", "in", pathIds(sql`${afterRunId}`));
  const claimed = build
    .insertInto("compaction")
    .columns(["id", "threadId", "afterRunId", "count", "flushed", "createdAt"])
    .expression(
      build
        .selectNoFrom([
          ...[sql`${id}`.as("id"), sql`${threadId}`.as("threadId"), sql`${afterRunId}`.as("afterRunId")],
          ...[sql`cast(${count} as integer)`.as("count"), sql.lit(true).as("flushed")],
          clock(database.dialect).as("createdAt"),
        ])
        .where((eb) => eb.not(eb.exists(isFlushed))),
    )
    .returning("id");
  return (await database.execute(claimed)).length > 0;
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

const threadEnd = hotStatement((value: PlaceFor<{ threadId: string }>) =>
  build
    .selectFrom("thread as t")
    .select(["t.leafRunId", "t.isBranched", "t.projectId", "t.fileScope", "t.boardId"])
    .select((eb) =>
      eb
        .selectFrom("run as r")
        .select((of) => of.fn.max<number | null>("r.position").as("position"))
        .whereRef("r.threadId", "=", "t.id")
        .as("last"),
    )
    .where("t.id", "=", value("threadId")),
);

/** While the thread's lock is held, the position stays free. */
export async function selectThreadEnd(database: Database, threadId: string): Promise<ThreadEnd> {
  const [row] = await database.execute(threadEnd({ threadId }));
  return {
    leafRunId: row?.leafRunId ?? null,
    isBranched: row?.isBranched ?? false,
    position: (row?.last ?? 0) + 1,
    projectId: row?.projectId ?? null,
    fileScope: row?.fileScope ?? null,
    boardId: row?.boardId ?? null,
  };
}

function lastTodos(threadId: Expression<string>, leaf: Expression<unknown>) {
  return build
    .selectFrom("run as r")
    .innerJoin("thread as t", "t.id", "r.threadId")
    .select("r.todos")
    .where("r.threadId", "=", threadId)
    .where("r.todos", "is not", null)
    .where("r.parentRunId", "is", null)
    .where((eb) => eb.or([eb.not("t.isBranched"), eb("r.id", "in", pathIds(leaf))]))
    .orderBy("r.position", "desc")
    .limit(sql.lit(1));
}

const todosShown = hotStatement((value: PlaceFor<{ threadId: string }>) =>
  lastTodos(value("threadId"), sql.ref("t.leafRunId")),
);
const todosOfPath = hotStatement((value: PlaceFor<{ threadId: string } & Leaf>) =>
  lastTodos(value("threadId"), value("leaf")),
);

/** The plan, as JSON, that the path's last run with one left; null if none did. */
export async function selectTodos(database: Database, { threadId, leaf }: ThreadPath): Promise<string | null> {
  const todos = leaf === undefined ? todosShown({ threadId }) : todosOfPath({ threadId, leaf });
  const [row] = await database.execute(todos);
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
  return database.execute(
    build
      .selectFrom("run")
      .select(["id", "afterRunId", "regeneratesRunId", "assistantMessageId"])
      .where("threadId", "=", threadId)
      .where("parentRunId", "is", null)
      .where("heldAt", "is", null)
      .orderBy("position")
      .orderBy("id"),
  );
}
