import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ThreadOrigin } from "@/lib/schema/threads/thread";
import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { homeInReach } from "@/lib/server/platform/db/queries/search/threads-in-reach";
import { withDates } from "@/lib/server/platform/db/rows";

/**
 * What the client id of a thread begins with that a trigger of this kind has started; behind it comes the trigger's id,
 * or that of the firing for which the thread is new.
 */
const PREFIXES = { schedule: "schedule:", heartbeat: "heartbeat:", webhook: "webhook:" } as const;

/**
 * Conditions on the thread `t`: started by this or, of `others`, by a person's message; undefined leaves out only tests
 * of drafts and the threads of boards. With `triggerId`, by that trigger, board or agent.
 */
export function isFromOrigin(
  origin: ThreadOrigin | "others" | undefined,
  triggerId: string | undefined,
): Expression<SqlBool>[] {
  const isNamed = (column: string) =>
    triggerId === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} = ${triggerId}`];
  if (origin === "draft") return [sql`t."isTest" = true`, ...isNamed("t.agentId")];
  const isKept = sql<SqlBool>`t."ephemeral" = false`;
  if (origin === "board") {
    return triggerId === undefined ? [isKept, sql`t."boardId" is not null`] : [isKept, ...isNamed("t.boardId")];
  }
  const isPlain = [isKept, sql<SqlBool>`t."boardId" is null`];
  if (origin === undefined) return isPlain;
  if (origin === "others")
    return [...isPlain, ...Object.values(PREFIXES).map((prefix) => sql<SqlBool>`not ${begins(prefix)}`)];
  const prefix = PREFIXES[origin];
  if (triggerId === undefined) return [...isPlain, begins(prefix)];
  const firings = build.selectFrom("firing as f").select("f.id").where("f.triggerId", "=", triggerId);
  const isOfTrigger = sql<SqlBool>`(t."clientId" = ${prefix + triggerId} or ${restOf(prefix)} in ${firings})`;
  return [...isPlain, begins(prefix), isOfTrigger];
}

function begins(prefix: string) {
  return sql<SqlBool>`t."clientId" like ${sql.lit(`${prefix}%`)}`;
}

export interface OriginGroupRow {
  readonly origin: ThreadOrigin;
  /** The trigger, the board, or of a draft the agent; null if the trigger is gone. */
  readonly triggerId: string | null;
  /** One of the threads' titles. */
  readonly title: string | null;
  readonly threads: number;
  readonly lastAt: Date;
}

/** A person's threads that something else than a message started, counted by what it was; the latest change first. */
export async function selectOriginGroups(
  database: Database,
  { ownerId, reach }: { readonly ownerId: string; readonly reach?: readonly string[] | undefined },
): Promise<OriginGroupRow[]> {
  const kinds = Object.entries(PREFIXES);
  const ofTrigger = (value: (kind: string, prefix: string) => RawBuilder<string>) =>
    sql.join(
      kinds.map(([kind, prefix]) => sql`when ${begins(prefix)} then ${value(kind, prefix)}`),
      sql` `,
    );
  const origin = ofTrigger((kind) => sql.lit(kind));
  const ref = ofTrigger((_, prefix) => restOf(prefix));
  const threads = build
    .selectFrom("thread as t")
    .select([
      ...(["t.title", "t.updatedAt"] as const),
      sql<ThreadOrigin>`case when t."isTest" = true then 'draft' when t."boardId" is not null then 'board' ${origin} end`.as(
        "origin",
      ),
      sql<string>`case when t."isTest" = true then t."agentId" when t."boardId" is not null then t."boardId" ${ref} end`.as(
        "ref",
      ),
    ])
    .where("t.ownerId", "=", ownerId)
    .where("t.deletedAt", "is", null)
    .where("t.archivedAt", "is", null)
    .where("t.parentThreadId", "is", null)
    .where((eb) => eb.or([eb("t.ephemeral", "=", false), eb("t.isTest", "=", true)]))
    .where("t.projectId", "is", null)
    .where((eb) =>
      eb.or([
        eb("t.isTest", "=", true),
        eb("t.boardId", "is not", null),
        ...Object.values(PREFIXES).map((prefix) => begins(prefix)),
      ]),
    )
    .where(homeInReach(reach, "t"));
  const triggerId = sql<string | null>`case when x."origin" in ('board', 'draft') then x."ref" else g."id" end`;
  const rows = await database.execute(
    build
      .selectFrom(threads.as("x"))
      .leftJoin("firing as f", "f.id", "x.ref")
      .leftJoin("trigger as g", (join) => join.on("g.id", "=", sql<string>`coalesce(f."triggerId", x."ref")`))
      .select((eb) => [
        "x.origin",
        triggerId.as("triggerId"),
        eb.fn.max("x.title").as("title"),
        eb.fn.countAll<number>().as("threads"),
        eb.fn.max("x.updatedAt").as("lastAt"),
      ])
      .groupBy(["x.origin", triggerId])
      .orderBy("lastAt", "desc")
      .orderBy("x.origin")
      .orderBy("triggerId"),
  );
  return withDates(rows, "lastAt");
}

/** What follows the prefix in a client id. */
function restOf(prefix: string) {
  return sql<string>`substr(t."clientId", ${sql.lit(prefix.length + 1)})`;
}
