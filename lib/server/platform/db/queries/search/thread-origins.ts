import type { ThreadOrigin } from "@/lib/schema/threads/thread";
import type { Database } from "@/lib/server/platform/db/database";
import { readRows } from "@/lib/server/platform/db/rows";
import { homeInReachSql } from "@/lib/server/platform/within-reach";

/**
 * What the client id of a thread begins with that a trigger of this kind has started; behind it comes the trigger's id,
 * or that of the firing for which the thread is new.
 */
const PREFIXES = { schedule: "schedule:", heartbeat: "heartbeat:", webhook: "webhook:" } as const;

/**
 * Conditions on the thread `t`: started by this or, of `others`, by a person's message; undefined leaves out only tests
 * of drafts and the threads of boards. `place` is the parameter with the trigger's id.
 */
export function isFromOrigin(origin: ThreadOrigin | "others" | undefined, place: string | null): string[] {
  if (origin === "draft") return [`t."isTest" = true`, ...(place === null ? [] : [`t."agentId" = ${place}`])];
  const isKept = `t."ephemeral" = false`;
  if (origin === "board") {
    return [isKept, place === null ? `t."boardId" is not null` : `t."boardId" = ${place}`];
  }
  const isPlain = [isKept, `t."boardId" is null`];
  if (origin === undefined) return isPlain;
  if (origin === "others") {
    return [...isPlain, ...Object.values(PREFIXES).map((prefix) => `t."clientId" not like '${prefix}%'`)];
  }
  const prefix = PREFIXES[origin];
  const isOfTrigger =
    place === null
      ? []
      : [
          `(t."clientId" = '${prefix}' || ${place} or ${restOf(prefix)} in
            (select f."id" from "firing" f where f."triggerId" = ${place}))`,
        ];
  return [...isPlain, `t."clientId" like '${prefix}%'`, ...isOfTrigger];
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
  const inReach = homeInReachSql(
    reach?.map((_, index) => `$${index + 2}`),
    "t",
  );
  const kinds = Object.entries(PREFIXES);
  const ofTrigger = (column: (kind: string, prefix: string) => string) =>
    kinds.map(([kind, prefix]) => `when t."clientId" like '${prefix}%' then ${column(kind, prefix)}`).join(" ");
  const rows = await database.raw(
    `select x."origin", case when x."origin" in ('board', 'draft') then x."ref" else g."id" end as "triggerId",
       max(x."title") as "title", count(*) as "threads", max(x."updatedAt") as "lastAt"
     from (select t."title", t."updatedAt",
         case when t."isTest" = true then 'draft' when t."boardId" is not null then 'board'
           ${ofTrigger((kind) => `'${kind}'`)} end as "origin",
         case when t."isTest" = true then t."agentId" when t."boardId" is not null then t."boardId"
           ${ofTrigger((_, prefix) => restOf(prefix))} end as "ref"
       from "thread" t
       where t."ownerId" = $1 and t."deletedAt" is null and t."archivedAt" is null and t."parentThreadId" is null
         and (t."ephemeral" = false or t."isTest" = true) and t."projectId" is null
         and (t."isTest" = true or t."boardId" is not null
           or ${kinds.map(([, prefix]) => `t."clientId" like '${prefix}%'`).join(" or ")})${inReach}) x
     left join "firing" f on f."id" = x."ref"
     left join "trigger" g on g."id" = coalesce(f."triggerId", x."ref")
     group by 1, 2 order by 5 desc, 1, 2`,
    [ownerId, ...(reach ?? [])],
  );
  return readRows<OriginGroupRow>(rows, { dates: ["lastAt"] }).map((row) => ({ ...row, threads: Number(row.threads) }));
}

function restOf(prefix: string): string {
  return `substr(t."clientId", ${prefix.length + 1})`;
}
