import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A run that no process has claimed yet: its message can still be changed. With `heldAt`, no process may claim it. */
export type QueuedMessageRow = Pick<
  RunRow,
  | "id"
  | "ownerId"
  | "agentId"
  | "agentVersionId"
  | "position"
  | "afterRunId"
  | "regeneratesRunId"
  | "input"
  | "steersRunId"
  | "heldAt"
  | "modelOverride"
  | "effort"
  | "createdAt"
>;

const COLUMNS = [
  "id",
  "ownerId",
  "agentId",
  "agentVersionId",
  "position",
  "afterRunId",
  "regeneratesRunId",
  "input",
  "steersRunId",
  "heldAt",
  "modelOverride",
  "effort",
  "createdAt",
] as const satisfies readonly (keyof QueuedMessageRow)[];
const columnsOf = (alias: string) => COLUMNS.map((column) => `${alias}."${column}"`).join(", ");
const isQueued = (row: string) => `${row}"endedAt" is null and ${row}"status" = 'queued' and ${row}"epoch" = 0`;
const IS_QUEUED = isQueued("");

/** The thread's queued messages in order, held ones included. */
export async function selectQueuedMessages(database: Database, threadId: string): Promise<QueuedMessageRow[]> {
  const rows = await database.raw(
    `select ${columnsOf("r")} from "run" r
      where r."threadId" = $1 and r."parentRunId" is null and ${isQueued("r.")} order by r."position", r."id"`,
    [threadId],
  );
  return readRows<QueuedMessageRow>(rows, { dates: ["createdAt", "heldAt"] });
}

/** Whether the thread has a run that has not ended, except those of subagents and held ones. */
export async function hasOpenRun(database: Database, threadId: string): Promise<boolean> {
  const rows = await database.raw(
    `select 1 as "found" from "run" where "threadId" = $1 and "endedAt" is null and "heldAt" is null limit 1`,
    [threadId],
  );
  return rows.length > 0;
}

/** A run that has begun and not ended. */
export type SteerableRun = Pick<RunRow, "id" | "ownerId" | "status" | "traceId" | "assistantMessageId">;

/**
 * The run of the thread that a steer would reach: the active one, unless it was asked to stop. Null if there is none.
 */
export async function selectSteerable(database: Database, threadId: string): Promise<SteerableRun | null> {
  const [run] = await database.raw<SteerableRun>(
    `select "id", "ownerId", "status", "traceId", "assistantMessageId" from "run"
      where "threadId" = $1 and "endedAt" is null and "parentRunId" is null and "cancelRequestedAt" is null
        and ("status" <> 'queued' or "epoch" > 0) limit 1`,
    [threadId],
  );
  return run ?? null;
}

/** Adds or removes one unread steer; when adding, the list fails once the run has ended. */
export function countSteerStatement(runId: string, by: 1 | -1): SqlStatement {
  return {
    sql: `update "run" set "unreadSteers" = "unreadSteers" + $2 where "id" = $1 and "endedAt" is null
      and "unreadSteers" + $2 >= 0`,
    parameters: [runId, by],
    mustChange: by === 1,
  };
}

type Held = Pick<RunRow, "id" | "epoch" | "leaseOwner">;

/** The run's unread steers, and the count on its row. */
export async function selectUnreadSteers(
  database: Database,
  { id, threadId }: Pick<RunRow, "id" | "threadId">,
): Promise<{ readonly counted: number; readonly steers: readonly QueuedMessageRow[] }> {
  const rows = await database.raw(
    `select t."unreadSteers" as "counted", ${columnsOf("r")} from "run" t
      left join "run" r on r."steersRunId" = t."id" and r."threadId" = $2 and ${isQueued("r.")}
      where t."id" = $1 order by r."position", r."id"`,
    [id, threadId],
  );
  const counted = Number(rows[0]?.counted ?? 0);
  const steers = readRows<QueuedMessageRow>(
    rows.filter((row) => row.id !== null),
    { dates: ["createdAt", "heldAt"] },
  );
  return { counted, steers };
}

/** Fails the list if the run is no longer held at this epoch. */
export function readSteersStatement({ id, epoch, leaseOwner }: Held, count: number): SqlStatement {
  return {
    sql: `update "run" set "unreadSteers" = case when "unreadSteers" > $4 then "unreadSteers" - $4 else 0 end
      where "id" = $1 and "epoch" = $2 and "leaseOwner" = $3 and "status" = 'running'`,
    parameters: [id, epoch, leaseOwner, count],
    mustChange: true,
  };
}

/** Corrects the count if a steer was removed without counting it down; does nothing if another has arrived since. */
export async function forgetSteers(database: Database, runId: string, counted: number): Promise<void> {
  await database.raw(`update "run" set "unreadSteers" = 0 where "id" = $1 and "unreadSteers" = $2`, [runId, counted]);
}

/** Removes a message from the queue; fails the list if it was changed or begun in the meantime. */
export function deleteQueuedStatement({ id, input }: Pick<QueuedMessageRow, "id" | "input">): SqlStatement {
  return {
    sql: `delete from "run" where "id" = $1 and "input" = $2 and ${IS_QUEUED}`,
    parameters: [id, input],
    mustChange: true,
  };
}

type Change = Partial<Pick<QueuedMessageRow, "input" | "steersRunId" | "position" | "afterRunId">>;

/** Fails the list if the message was changed, moved or begun in the meantime. */
export function changeQueuedStatement(row: QueuedMessageRow, change: Change): SqlStatement {
  const { input, steersRunId, position, afterRunId } = { ...row, ...change };
  return {
    sql: `update "run" set "input" = $4, "steersRunId" = $5, "position" = $6, "afterRunId" = $7
      where "id" = $1 and "input" = $2 and "position" = $3 and ${IS_QUEUED}`,
    parameters: [row.id, row.input, row.position, input, steersRunId, position, afterRunId],
    mustChange: true,
  };
}

/** Makes whatever follows a message that leaves the queue follow `afterRunId` instead. */
export function skipQueuedStatements(
  threadId: string,
  { id, afterRunId }: Pick<QueuedMessageRow, "id" | "afterRunId">,
): SqlStatement[] {
  return [
    {
      sql: `update "run" set "afterRunId" = $3 where "threadId" = $1 and "afterRunId" = $2 and "endedAt" is null`,
      parameters: [threadId, id, afterRunId],
    },
    {
      sql: `update "thread" set "leafRunId" = $3 where "id" = $1 and "leafRunId" = $2`,
      parameters: [threadId, id, afterRunId],
    },
  ];
}

type Holding = Pick<QueuedMessageRow, "id" | "input" | "afterRunId">;

/** Holds a queued message, or one that steers; fails the list if it was changed, held or begun in the meantime. */
export function holdStatement({ id, input, afterRunId }: Holding, heldAt: Date): SqlStatement {
  return {
    sql: `update "run" set "heldAt" = $3, "afterRunId" = $4, "steersRunId" = null
      where "id" = $1 and "input" = $2 and "heldAt" is null and ${IS_QUEUED}`,
    parameters: [id, input, heldAt, afterRunId],
    mustChange: true,
  };
}

type Released = Pick<RunRow, "id" | "position" | "afterRunId" | "projectId" | "fileScope">;

/** Sends a held message; fails the list if it was sent or removed in the meantime. */
export function releaseStatement({ id, position, afterRunId, projectId, fileScope }: Released): SqlStatement {
  return {
    sql: `update "run" set "heldAt" = null, "position" = $2, "afterRunId" = $3, "projectId" = $4, "fileScope" = $5
      where "id" = $1 and "heldAt" is not null and ${IS_QUEUED}`,
    parameters: [id, position, afterRunId, projectId, fileScope],
    mustChange: true,
  };
}

/** A place in the queue of a thread, for the run `first` that follows the run `behind`. */
interface NewPlace {
  readonly position: number;
  readonly behind: string;
  readonly first: string;
}

/** Moves everything that is queued behind a place, and makes what followed the run `behind` follow `first`. */
export function makeRoomStatements(threadId: string, { position, behind, first }: NewPlace): SqlStatement[] {
  return [
    {
      sql: `update "run" set "position" = "position" + 1 where "threadId" = $1 and "position" >= $2 and ${IS_QUEUED}`,
      parameters: [threadId, position],
    },
    {
      sql: `update "run" set "afterRunId" = $3 where "threadId" = $1 and "afterRunId" = $2 and ${IS_QUEUED}`,
      parameters: [threadId, behind, first],
    },
  ];
}

interface Handed {
  readonly agentId: string;
  readonly versionId: string;
  readonly input: string;
}

/** Gives a queued message to another agent, with that agent's model; does nothing once it has begun. */
export function handQueuedStatement(
  { id, input: before }: Pick<QueuedMessageRow, "id" | "input">,
  { agentId, versionId, input }: Handed,
): SqlStatement {
  return {
    sql: `update "run" set "agentId" = $3, "agentVersionId" = $4, "input" = $5, "modelOverride" = null, "effort" = null
      where "id" = $1 and "input" = $2 and ${IS_QUEUED}`,
    parameters: [id, before, agentId, versionId, input],
  };
}

/** Makes the thread show the branch that ends with this run. */
export function setLeafStatement(threadId: string, leafRunId: string | null): SqlStatement {
  return { sql: `update "thread" set "leafRunId" = $2 where "id" = $1`, parameters: [threadId, leafRunId] };
}

/**
 * Stores the input of a claimed run whose message has its place in the transcript; fails the list if the run is no
 * longer held.
 */
export function placeQueuedStatement({ id, epoch, leaseOwner }: Held, input: string): SqlStatement {
  return {
    sql: `update "run" set "input" = $4, "steersRunId" = null
      where "id" = $1 and "epoch" = $2 and "leaseOwner" = $3 and "status" = 'running'`,
    parameters: [id, epoch, leaseOwner, input],
    mustChange: true,
  };
}

/** The next segment of a run that must not complete before it has read its steers. */
export function requeueSteeredStatement({ id, epoch, leaseOwner }: Held): SqlStatement {
  return {
    sql: `update "run" set "status" = 'queued', "leaseOwner" = null, "segment" = "segment" + 1
      where "id" = $1 and "epoch" = $2 and "leaseOwner" = $3 and "status" = 'running' and "unreadSteers" > 0`,
    parameters: [id, epoch, leaseOwner],
    mustChange: true,
  };
}
