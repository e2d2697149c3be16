import { type Expression, type SqlBool, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, hotStatements, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { boundJsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { insertRows } from "@/lib/server/platform/db/kysely/row-statements";
import { RUNNING } from "@/lib/server/platform/db/queries/runs";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A model call, identified as its reservations are. */
interface BudgetedCall {
  readonly runId: string;
  readonly epoch: number;
  readonly call: number;
}

/** One account that a call draws on. A limit of null is no limit; 0 is one. */
export interface Draw {
  readonly account: string;
  readonly budgetId: string | null;
  readonly limitUsd: number | null;
  readonly limitTokens: number | null;
}

/** Rounding errors in sums must not refuse a call that fits exactly. */
const TOLERANCE_USD = 1e-9;

const openedAccounts = hotStatements((value: PlaceFor<{ accounts: string }>, dialect) => {
  const given = boundJsonRows(dialect, { id: "text", budgetId: "text", updatedAt: "timestamp" }, value("accounts"));
  return build
    .insertInto("budget_account")
    .columns(["id", "budgetId", "updatedAt"])
    .expression(build.selectFrom(given.as("g")).select(["g.id", "g.budgetId", "g.updatedAt"]).where(sql.lit(true)))
    .onConflict((conflict) => conflict.column("id").doNothing());
});

interface Reserve extends BudgetedCall {
  readonly draws: readonly Draw[];
  readonly usd: number;
  readonly tokens: number;
  /** What the call sends, within `usd` and `tokens`: if its process dies, its provider charges that. */
  readonly input: { readonly usd: number; readonly tokens: number };
  readonly now: Date;
}

/**
 * Reserves the maximum cost of a call in all of its accounts, or in none: false if it does not fit into one. Each
 * account is checked and changed by one statement, so that simultaneous calls can't both take the last dollar; they
 * take their accounts in the same order.
 */
export async function reserveCall(database: Database, request: Reserve): Promise<boolean> {
  const { runId, epoch, call, usd, tokens, input, now } = request;
  const draws = [...request.draws].sort((left, right) => (left.account < right.account ? -1 : 1));
  const updatedAt = sqlTimestamp(now);
  const accounts = draws.map(({ account: id, budgetId }) => ({ id, budgetId, updatedAt }));
  const places = draws.map(({ account: accountId }) => ({
    runId,
    epoch,
    call,
    accountId,
    usd,
    tokens,
    inputUsd: input.usd,
    inputTokens: input.tokens,
    createdAt: now,
  }));
  try {
    await database.runAll(
      [
        openedAccounts(database.dialect, { accounts: sqlJson(accounts) }),
        ...draws.map((draw) => drawStatement(draw, request)),
        insertRows(database.dialect, "budget_reservation", RESERVATION, places),
      ],
      "normal",
    );
    return true;
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
}

const RESERVATION = {
  runId: "text",
  epoch: "integer",
  call: "integer",
  accountId: "text",
  usd: "float",
  tokens: "float",
  inputUsd: "float",
  inputTokens: "float",
  createdAt: "timestamp",
} as const;

type Amount = Pick<Draw, "account" | "limitUsd" | "limitTokens"> & Pick<Reserve, "usd" | "tokens" | "now">;

const drawnAmount = hotStatement((value: PlaceFor<Amount>) => {
  const fits = (unit: "Usd" | "Tokens", amount: Expression<number>, limit: Expression<number | null>) => {
    const [used, reserved, added] = ["used", "reserved", "added"].map((name) => sql.ref(`${name}${unit}`));
    return sql<SqlBool>`coalesce(${used} + ${reserved} + ${amount} <= cast(${limit} as float) + ${added}, true)`;
  };
  return build
    .updateTable("budget_account")
    .set((eb) => ({
      reservedUsd: eb("reservedUsd", "+", value("usd")),
      reservedTokens: eb("reservedTokens", "+", value("tokens")),
      updatedAt: value("now"),
    }))
    .where("id", "=", value("account"))
    .where(fits("Usd", value("usd"), value("limitUsd")))
    .where(fits("Tokens", value("tokens"), value("limitTokens")));
});

function drawStatement({ account, limitUsd, limitTokens }: Draw, { usd, tokens, now }: Reserve): SqlStatement {
  const limits = { limitUsd: limitUsd === null ? null : limitUsd + TOLERANCE_USD, limitTokens };
  return { ...drawnAmount({ account, usd, tokens, now, ...limits }), mustChange: true };
}

interface Settle extends BudgetedCall {
  readonly accounts: readonly string[];
  /** The reserved amount; `spent` is the actual cost. */
  readonly reserved: { readonly usd: number; readonly tokens: number };
  readonly spent: { readonly usd: number; readonly tokens: number };
  /** Only if this event of the run was already stored, in the same transaction. Null: unconditionally. */
  readonly eventSeq: number | null;
  readonly now: Date;
}

/** A call that is settled; its event has the number `eventSeq`. */
interface Settled extends BudgetedCall {
  readonly eventSeq: number;
}

interface SettledAccount extends Settled {
  readonly account: string;
  readonly spentUsd: number;
  readonly spentTokens: number;
  readonly reservedUsd: number;
  readonly reservedTokens: number;
  readonly now: Date;
}

/** `isStored`: only if the event of the call was stored. */
function settling(isStored: boolean) {
  const event = (value: PlaceFor<Settled>) =>
    isStored
      ? sql<SqlBool>`exists ${build
          .selectFrom("run_event")
          .select("seq")
          .where("runId", "=", value("runId"))
          .where("epoch", "=", value("epoch"))
          .where("seq", "=", value("eventSeq"))}`
      : sql.lit(true);
  const account = hotStatement((value: PlaceFor<SettledAccount>) =>
    build
      .updateTable("budget_account")
      .set((eb) => ({
        usedUsd: eb("usedUsd", "+", value("spentUsd")),
        usedTokens: eb("usedTokens", "+", value("spentTokens")),
        reservedUsd: eb("reservedUsd", "-", value("reservedUsd")),
        reservedTokens: eb("reservedTokens", "-", value("reservedTokens")),
        updatedAt: value("now"),
      }))
      .where("id", "=", value("account"))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("budget_reservation")
            .select("accountId")
            .where("runId", "=", value("runId"))
            .where("epoch", "=", value("epoch"))
            .where("call", "=", value("call"))
            .where("accountId", "=", value("account")),
        ),
      )
      .where(event(value as PlaceFor<Settled>)),
  );
  const reservations = hotStatement((value: PlaceFor<Settled>) =>
    build
      .deleteFrom("budget_reservation")
      .where("runId", "=", value("runId"))
      .where("epoch", "=", value("epoch"))
      .where("call", "=", value("call"))
      .where(event(value)),
  );
  return { account, reservations };
}

const settledAlways = settling(false);
const settledIfStored = settling(true);

/**
 * Replaces a call's reservation with its actual cost. Idempotent: repeated, or after a takeover, it changes nothing.
 */
export function settleStatements({ accounts, reserved, spent, eventSeq, now, ...key }: Settle): SqlStatement[] {
  const { account: settledAccount, reservations } = eventSeq === null ? settledAlways : settledIfStored;
  const call = { ...key, eventSeq: eventSeq ?? 0 };
  const amounts = {
    ...{ spentUsd: spent.usd, spentTokens: spent.tokens },
    ...{ reservedUsd: reserved.usd, reservedTokens: reserved.tokens },
  };
  const updates = [...accounts].sort().map((account) => settledAccount({ ...call, ...amounts, account, now }));
  return [...updates, reservations(call)];
}

interface LostReservation {
  readonly epoch: number;
  readonly call: number;
  readonly accountId: string;
  readonly usd: number;
  readonly tokens: number;
  readonly inputUsd: number;
  readonly inputTokens: number;
}

/**
 * Settles what the run's claims before an epoch have reserved: their process has died, or has given the run up. Each
 * call counts with what it sent, the last also with the tokens that it had streamed.
 */
export async function settleLostCalls(
  database: Database,
  { runId, before }: { readonly runId: string; readonly before: number },
  streamedTokens: number,
): Promise<void> {
  const rows = await database.execute(
    build
      .selectFrom("budget_reservation")
      .select(["epoch", "call", "accountId", "usd", "tokens", "inputUsd", "inputTokens"])
      .where("runId", "=", runId)
      .where("epoch", "<", before)
      .orderBy("epoch")
      .orderBy("call"),
  );
  const calls = [...Map.groupBy(rows, ({ epoch, call }) => `${epoch} ${call}`).values()];
  const statements = calls.flatMap((places, index) => {
    const [first] = places;
    if (!first) return [];
    const { epoch, call, usd, tokens } = first;
    const spent = lostUsage(first, index === calls.length - 1 ? streamedTokens : 0);
    const accounts = places.map(({ accountId }) => accountId);
    return settleStatements({
      ...{ runId, epoch, call, accounts, reserved: { usd, tokens }, spent },
      eventSeq: null,
      now: new Date(),
    });
  });
  if (statements.length > 0) await database.runAll(statements, "normal");
}

/** The output's price per token is that of the reservation. */
function lostUsage({ usd, tokens, inputUsd, inputTokens }: LostReservation, streamedTokens: number) {
  const most = tokens - inputTokens;
  const written = Math.min(most, streamedTokens);
  return {
    usd: inputUsd + (most > 0 ? Math.max(0, ((usd - inputUsd) * written) / most) : 0),
    tokens: Math.round(inputTokens + written),
  };
}

/** Claims that reserved something before then and in which no process executes the run any more. */
export async function selectLostClaims(database: Database, before: Date): Promise<{ runId: string; epoch: number }[]> {
  const old = build.selectFrom("budget_reservation as b").where("b.createdAt", "<", sqlTimestamp(before));
  const [any] = await database.execute(old.select("b.runId").limit(1));
  if (!any) return [];
  return database.execute(
    old
      .select(["b.runId", "b.epoch"])
      .distinct()
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom("run as r")
              .select("r.id")
              .whereRef("r.id", "=", "b.runId")
              .whereRef("r.epoch", "=", "b.epoch")
              .where("r.status", "=", RUNNING),
          ),
        ),
      ),
  );
}
