import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { toIds, withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

export type BoardRow = NonNullable<Awaited<ReturnType<Database["board"]["findUnique"]>>>;
export type CardRow = NonNullable<Awaited<ReturnType<Database["boardCard"]["findUnique"]>>>;
export type TurnRow = NonNullable<Awaited<ReturnType<Database["boardRun"]["findUnique"]>>>;

export type CardChanges = Changes<"board_card">;

interface Taken {
  readonly board: Pick<BoardRow, "id" | "maxParallel">;
  readonly card: Pick<CardRow, "id">;
  readonly turn: Pick<TurnRow, "id" | "agentId" | "prompt"> & { readonly role: "work" | "review" };
  readonly now: Date;
}

export function insertBoardStatement(board: NewRow<"board">): SqlStatement {
  return insertRow("board", board);
}

/** Fails the list of statements if there is no such board. */
export function updateBoardStatement(id: string, columns: Changes<"board">): SqlStatement {
  return { ...updateRows("board", { id }, columns), mustChange: true };
}

/**
 * A member takes a card, or its review. One statement decides: the card is free, the member is idle, and fewer than
 * `maxParallel` members are at work; the lock on the board's row makes others wait for the result. Fails the list of
 * statements otherwise, and if the board is stopped.
 */
export function takeStatements({ board, card, turn, now }: Taken): SqlStatement[] {
  const { agentId } = turn;
  const open = build
    .selectFrom("board_run as r")
    .where("r.boardId", "=", board.id)
    .where("r.role", "<>", "lead")
    .where("r.outcome", "is", null);
  const started = build
    .updateTable("board")
    .set((eb) => ({ revision: eb("revision", "+", 1), updatedAt: now }))
    .where("id", "=", board.id)
    .where("stoppedAt", "is", null);
  const taken = build
    .updateTable("board_card")
    .set({ turnId: turn.id, updatedAt: now })
    .where("id", "=", card.id)
    .where("boardId", "=", board.id)
    .where(
      open.select((eb) => eb.fn.countAll<number>().as("count")),
      "<",
      board.maxParallel,
    )
    .where((eb) => eb.not(eb.exists(open.select("r.id").where("r.agentId", "=", agentId))));
  const free =
    turn.role === "work"
      ? taken
          .set((eb) => ({
            ...{ status: "working", worker: agentId, attempts: eb("attempts", "+", 1), lostReviews: 0 },
            ...{ cause: null, question: null, runId: null, evidenceState: null },
          }))
          .where("status", "=", "todo")
          .where((eb) => eb.or([eb("assignee", "is", null), eb("assignee", "=", agentId)]))
      : taken
          .where("status", "=", "review")
          .where("worker", "<>", agentId)
          .where((eb) => eb.not(eb.exists(open.select("r.id").where("r.cardId", "=", card.id))));
  return [
    { ...started.compile(), mustChange: true },
    { ...free.compile(), mustChange: true },
    insertTurnStatement({ ...turn, boardId: board.id, cardId: card.id, createdAt: now }),
  ];
}

export function insertTurnStatement(turn: Omit<NewRow<"board_run">, "state"> & { state?: string }): SqlStatement {
  return insertRow("board_run", { ...turn, state: turn.state ?? "claimed" });
}

/** Fails the list of statements if the end of the turn is already recorded. */
export function endTurnStatement(id: string, outcome: string): SqlStatement {
  const ended = build.updateTable("board_run").set({ outcome }).where("id", "=", id).where("outcome", "is", null);
  return { ...ended.compile(), mustChange: true };
}

/** Changes the card as long as this turn holds it. */
export function changeCardOfTurnStatement(
  { id, turnId }: { readonly id: string; readonly turnId: string },
  columns: CardChanges,
): SqlStatement {
  return updateRows("board_card", { id, turnId }, columns);
}

/** Changes the card if it is still in that state; otherwise fails the list of statements. */
export function changeCardStatement(
  { id, status, turnId }: Pick<CardRow, "id" | "status" | "turnId">,
  columns: CardChanges,
): SqlStatement {
  const where = turnId === null ? { id, status } : { id, status, turnId };
  return { ...updateRows("board_card", where, columns), mustChange: true };
}

/** A new card gets the board's next number. */
export function insertCardStatements(
  boardId: string,
  card: Omit<NewRow<"board_card">, "boardId" | "number">,
  now: Date,
): SqlStatement[] {
  const numbered = build
    .updateTable("board")
    .set((eb) => ({ lastNumber: eb("lastNumber", "+", 1), updatedAt: now }))
    .where("id", "=", boardId);
  return [
    { ...numbered.compile(), mustChange: true },
    insertRow("board_card", { ...card, boardId, number: 0 }),
    build
      .updateTable("board_card")
      .set((eb) => ({
        number: eb.selectFrom("board as b").select("b.lastNumber").where("b.id", "=", boardId).$asScalar().$notNull(),
      }))
      .where("id", "=", card.id)
      .compile(),
  ];
}

/** Turns of the board whose run has ended or no longer exists, without their end being recorded. */
export async function selectEndedTurns(database: Database, boardId: string): Promise<TurnRow[]> {
  const rows = await database.execute(
    build
      .selectFrom("board_run as t")
      .leftJoin("run as r", "r.id", "t.runId")
      .selectAll("t")
      .where("t.boardId", "=", boardId)
      .where("t.outcome", "is", null)
      .where("t.state", "=", "started")
      .where((eb) => eb.or([eb("r.id", "is", null), eb("r.endedAt", "is not", null)]))
      .orderBy("t.createdAt")
      .orderBy("t.id"),
  );
  return withDates(rows, "createdAt");
}

/** Boards with work left: turns without a run or a recorded end, or cards that may be taken. */
export async function selectBoardsLeft(database: Database, limit: number): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("board as b")
      .select("b.id")
      .where((eb) => {
        const isGoing = eb("b.stoppedAt", "is", null);
        const turn = eb
          .selectFrom("board_run as t")
          .leftJoin("run as r", "r.id", "t.runId")
          .select("t.id")
          .whereRef("t.boardId", "=", "b.id")
          .where("t.outcome", "is", null)
          .where((of) => {
            const isOver = of.or([of("r.id", "is", null), of("r.endedAt", "is not", null)]);
            return of.or([
              of.and([of("t.state", "=", "claimed"), isGoing]),
              of.and([of("t.state", "=", "started"), isOver]),
            ]);
          });
        const card = eb
          .selectFrom("board_card as c")
          .select("c.id")
          .whereRef("c.boardId", "=", "b.id")
          .where((of) =>
            of.or([
              of("c.status", "=", "todo"),
              of.and([of("c.status", "=", "review"), eb("b.review", "=", "other_member")]),
            ]),
          );
        return eb.or([eb.exists(turn), eb.and([isGoing, eb.exists(card)])]);
      })
      .orderBy("b.updatedAt")
      .orderBy("b.id")
      .limit(limit),
  );
  return toIds(rows);
}

/** Boards that are not stopped yet although the API key that they were made with has ended. */
export async function selectBoardsOfEndedKeys(database: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("board as b")
      .leftJoin("api_key as k", "k.id", "b.apiKeyId")
      .select("b.id")
      .where("b.stoppedAt", "is", null)
      .where("b.apiKeyId", "is not", null)
      .where((eb) =>
        eb.or([eb("k.id", "is", null), eb("k.revokedAt", "is not", null), eb("k.expiresAt", "<=", sqlTimestamp(now))]),
      )
      .orderBy("b.id")
      .limit(limit),
  );
  return toIds(rows);
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
  const rows = await database.execute(
    build
      .selectFrom("board_run as t")
      .innerJoin("run as r", "r.id", "t.runId")
      .select(["t.id", "t.boardId", "t.cardId", "t.agentId", "t.role", "r.costUsd", "r.endedAt"])
      .where("t.boardId", "=", boardId)
      .orderBy("t.createdAt")
      .orderBy("t.id"),
  );
  return rows.map(({ endedAt, ...row }) => ({ ...row, ended: endedAt !== null }));
}

/** The number of cards per board and state; a card whose run waits for a person counts as needing one. */
export async function selectCardCounts(
  database: Database,
  boardIds: readonly string[],
): Promise<{ boardId: string; status: string; count: number }[]> {
  const cards = build
    .selectFrom("board_card as c")
    .innerJoin(idRows(database.dialect, boardIds).as("b"), "b.id", "c.boardId")
    .leftJoin("run as r", "r.id", "c.runId")
    .select((eb) => [
      "c.boardId",
      eb
        .case()
        .when(
          eb.and([eb("c.status", "=", "working"), eb("r.status", "=", "waiting"), eb("r.waitingFor", "<>", "child")]),
        )
        .then(sql.lit("needs_you"))
        .else(eb.ref("c.status"))
        .end()
        .as("status"),
    ]);
  return database.execute(
    build
      .selectFrom(cards.as("x"))
      .select((eb) => ["x.boardId", "x.status", eb.fn.countAll<number>().as("count")])
      .groupBy(["x.boardId", "x.status"])
      .orderBy("x.boardId")
      .orderBy("x.status"),
  );
}

/** The last call that each of the runs has begun, with its step. */
export async function selectLastCalls(
  database: Database,
  runIds: readonly string[],
): Promise<{ runId: string; data: string }[]> {
  if (runIds.length === 0) return [];
  return database.execute(
    build
      .selectFrom("run_event as e")
      .innerJoin(idRows(database.dialect, runIds).as("h"), "h.id", "e.runId")
      .select(["e.runId", "e.data"])
      .where("e.seq", "=", (eb) =>
        eb
          .selectFrom("run_event as x")
          .select((of) => of.fn.max("x.seq").as("seq"))
          .whereRef("x.runId", "=", "e.runId")
          .where("x.type", "=", "tool.call"),
      )
      .orderBy("e.runId"),
  );
}

/** The usage of the ended runs of each board. */
export async function selectSpentByBoard(
  database: Database,
  boardIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly usd: number; readonly tokens: number }>> {
  const rows = await database.execute(
    build
      .selectFrom("board_run as t")
      .innerJoin("run as r", "r.id", "t.runId")
      .innerJoin(idRows(database.dialect, boardIds).as("b"), "b.id", "t.boardId")
      .select((eb) => [
        "t.boardId",
        eb.fn.sum<number | null>("r.costUsd").as("usd"),
        eb.fn.sum<number>(eb("r.inputTokens", "+", eb.ref("r.outputTokens"))).as("tokens"),
      ])
      .groupBy("t.boardId")
      .orderBy("t.boardId"),
  );
  return new Map(rows.map(({ boardId, usd, tokens }) => [boardId, { usd: usd ?? 0, tokens }]));
}
