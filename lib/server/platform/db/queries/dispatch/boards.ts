import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow, updateRows } from "@/lib/server/platform/db/statements";

export type BoardRow = NonNullable<Awaited<ReturnType<Database["board"]["findUnique"]>>>;
export type CardRow = NonNullable<Awaited<ReturnType<Database["boardCard"]["findUnique"]>>>;
export type TurnRow = NonNullable<Awaited<ReturnType<Database["boardRun"]["findUnique"]>>>;

interface Taken {
  readonly board: Pick<BoardRow, "id" | "maxParallel">;
  readonly card: Pick<CardRow, "id">;
  readonly turn: Pick<TurnRow, "id" | "agentId" | "prompt"> & { readonly role: "work" | "review" };
  readonly now: Date;
}

/**
 * A member takes a card, or its review. One statement decides: the card is free, the member is idle, and fewer than
 * `maxParallel` members are at work; the lock on the board's row makes others wait for the result. Fails the list of
 * statements otherwise, and if the board is stopped.
 */
export function takeStatements({ board, card, turn, now }: Taken): SqlStatement[] {
  const open = `"boardId" = $2 and "role" <> 'lead' and "outcome" is null`;
  const isFree =
    turn.role === "work"
      ? `"status" = 'todo' and ("assignee" is null or "assignee" = $3)`
      : `"status" = 'review' and "worker" <> $3 and not exists
          (select 1 from "board_run" r where r."cardId" = $1 and ${open})`;
  const change =
    turn.role === "work"
      ? `"status" = 'working', "worker" = $3, "attempts" = "attempts" + 1, "cause" = null, "question" = null,
         "runId" = null, "evidenceState" = null, "lostReviews" = 0,`
      : "";
  return [
    {
      sql: `update "board" set "revision" = "revision" + 1, "updatedAt" = $2 where "id" = $1 and "stoppedAt" is null`,
      parameters: [board.id, now],
      mustChange: true,
    },
    {
      sql: `update "board_card" set ${change} "turnId" = $4, "updatedAt" = $5
        where "id" = $1 and "boardId" = $2 and ${isFree}
          and (select count(*) from "board_run" where ${open}) < $6
          and not exists (select 1 from "board_run" where ${open} and "agentId" = $3)`,
      parameters: [card.id, board.id, turn.agentId, turn.id, now, board.maxParallel],
      mustChange: true,
    },
    insertTurnStatement({ ...turn, boardId: board.id, cardId: card.id, createdAt: now }),
  ];
}

export function insertTurnStatement(turn: Readonly<Partial<Record<keyof TurnRow, SqlValue>>>): SqlStatement {
  return insertRow("board_run", { state: "claimed", ...turn });
}

/** Fails the list of statements if the end of the turn is already recorded. */
export function endTurnStatement(id: string, outcome: string): SqlStatement {
  return {
    sql: `update "board_run" set "outcome" = $2 where "id" = $1 and "outcome" is null`,
    parameters: [id, outcome],
    mustChange: true,
  };
}

/** Changes the card as long as this turn holds it. */
export function changeCardOfTurnStatement(
  { id, turnId }: { readonly id: string; readonly turnId: string },
  columns: Readonly<Partial<Record<keyof CardRow, SqlValue>>>,
): SqlStatement {
  return updateRows("board_card", { id, turnId }, columns);
}

/** Changes the card if it is still in that state; otherwise fails the list of statements. */
export function changeCardStatement(
  { id, status, turnId }: Pick<CardRow, "id" | "status" | "turnId">,
  columns: Readonly<Partial<Record<keyof CardRow, SqlValue>>>,
): SqlStatement {
  const where: Record<string, SqlValue> = turnId === null ? { id, status } : { id, status, turnId };
  return { ...updateRows("board_card", where, columns), mustChange: true };
}

/** A new card gets the board's next number. */
export function insertCardStatements(
  boardId: string,
  card: Readonly<Partial<Record<keyof CardRow, SqlValue>>>,
  now: Date,
): SqlStatement[] {
  const columns = Object.keys(card).filter((name) => name !== "number");
  return [
    {
      sql: `update "board" set "lastNumber" = "lastNumber" + 1, "updatedAt" = $2 where "id" = $1`,
      parameters: [boardId, now],
      mustChange: true,
    },
    insertRow("board_card", {
      ...Object.fromEntries(columns.map((name) => [name, card[name as keyof CardRow] ?? null])),
      boardId,
      number: 0,
    }),
    {
      sql: `update "board_card" set "number" = (select "lastNumber" from "board" where "id" = $1) where "id" = $2`,
      parameters: [boardId, card.id ?? null],
    },
  ];
}

/** Turns of the board whose run has ended or no longer exists, without their end being recorded. */
export async function selectEndedTurns(database: Database, boardId: string): Promise<TurnRow[]> {
  const rows = await database.raw(
    `select t.* from "board_run" t left join "run" r on r."id" = t."runId"
      where t."boardId" = $1 and t."outcome" is null and t."state" = 'started' and (r."id" is null or r."endedAt" is not null)
      order by t."createdAt", t."id"`,
    [boardId],
  );
  return readRows<TurnRow>(rows, { dates: ["createdAt"] });
}

/** Boards with work left: turns without a run or a recorded end, or cards that may be taken. */
export async function selectBoardsLeft(database: Database, limit: number): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select b."id" from "board" b where exists (
        select 1 from "board_run" t left join "run" r on r."id" = t."runId"
        where t."boardId" = b."id" and t."outcome" is null
          and ((t."state" = 'claimed' and b."stoppedAt" is null)
            or (t."state" = 'started' and (r."id" is null or r."endedAt" is not null))))
      or (b."stoppedAt" is null and exists (select 1 from "board_card" c where c."boardId" = b."id"
        and (c."status" = 'todo' or (c."status" = 'review' and b."review" = 'other_member'))))
      order by b."updatedAt", b."id" limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** Boards that are not stopped yet although the API key that they were made with has ended. */
export async function selectBoardsOfEndedKeys(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `select b."id" from "board" b left join "api_key" k on k."id" = b."apiKeyId"
      where b."stoppedAt" is null and b."apiKeyId" is not null
        and (k."id" is null or k."revokedAt" is not null or k."expiresAt" <= $1)
      order by b."id" limit $2`,
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** The cost of a turn's run, and whether it has ended. */
export interface TurnCost {
  readonly id: string;
  readonly boardId: string;
  readonly cardId: string | null;
  readonly agentId: string;
  readonly role: string;
  readonly costUsd: number | null;
  readonly ended: boolean;
}

/** The cost of every turn's run on the board. */
export async function selectTurnCosts(database: Database, boardId: string): Promise<TurnCost[]> {
  const rows = await database.raw(
    `select t."id", t."boardId", t."cardId", t."agentId", t."role", r."costUsd", (r."endedAt" is not null) as "ended"
      from "board_run" t join "run" r on r."id" = t."runId" where t."boardId" = $1 order by t."createdAt", t."id"`,
    [boardId],
  );
  return readRows<TurnCost>(rows, { flags: ["ended"] });
}

/** The number of cards per board and state; a card whose run waits for a person counts as needing one. */
export async function selectCardCounts(
  database: Database,
  boardIds: readonly string[],
): Promise<{ boardId: string; status: string; count: number }[]> {
  const rows = await database.raw<{ boardId: string; status: string; count: number }>(
    `select x."boardId", x."status", count(*) as "count" from (
        select c."boardId", case when c."status" = 'working' and r."status" = 'waiting' and r."waitingFor" <> 'child'
          then 'needs_you' else c."status" end as "status"
        from "board_card" c join ${database.dialect.rows("b", { id: "text" }, "$1")} on b."id" = c."boardId"
          left join "run" r on r."id" = c."runId") x
      group by x."boardId", x."status" order by x."boardId", x."status"`,
    [sqlJson(boardIds.map((id) => ({ id })))],
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** The last call that each of the runs has begun, with its step. */
export async function selectLastCalls(
  database: Database,
  runIds: readonly string[],
): Promise<{ runId: string; data: string }[]> {
  if (runIds.length === 0) return [];
  return database.raw<{ runId: string; data: string }>(
    `select e."runId", e."data" from "run_event" e
      join ${database.dialect.rows("h", { id: "text" }, "$1")} on h."id" = e."runId"
      where e."seq" = (select max(x."seq") from "run_event" x where x."runId" = e."runId" and x."type" = 'tool.call')
      order by e."runId"`,
    [sqlJson(runIds.map((id) => ({ id })))],
  );
}

/** The usage of the ended runs of each board. */
export async function selectSpentByBoard(
  database: Database,
  boardIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly usd: number; readonly tokens: number }>> {
  const rows = await database.raw<{ boardId: string; usd: number | null; tokens: number | null }>(
    `select t."boardId", sum(r."costUsd") as "usd", sum(r."inputTokens" + r."outputTokens") as "tokens"
      from "board_run" t join "run" r on r."id" = t."runId"
        join ${database.dialect.rows("b", { id: "text" }, "$1")} on b."id" = t."boardId"
      group by t."boardId" order by t."boardId"`,
    [sqlJson(boardIds.map((id) => ({ id })))],
  );
  return new Map(rows.map(({ boardId, usd, tokens }) => [boardId, { usd: usd ?? 0, tokens: Number(tokens ?? 0) }]));
}
