import { type RawBuilder, sql } from "kysely";
import type { TraceOrder } from "@/lib/schema/traces/trace";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { isShownAsItIs } from "@/lib/server/platform/db/queries/search/mask-texts";
import { all, baseConditions, type Condition, choiceConditions, type TraceSelection } from "./conditions";

type Key = string | number;

interface Order {
  readonly key: RawBuilder<Key>;
  readonly type: "time" | "number" | "text";
  /** Rows without a key are not listed. */
  readonly only?: Condition;
  /** Served by an index. */
  readonly isIndexed?: true;
}

/** A cursor has the key, and must fit into an address. */
const MOST_KEY_CHARS = 200;

const hasEnded = sql<boolean>`t."workedMs" is not null`;
/** What is unknown comes last. */
const number = (value: RawBuilder<unknown>): Order => ({ key: sql`coalesce(${value}, -1)`, type: "number" });
const text = (value: RawBuilder<unknown>): Order => ({ key: sql`coalesce(${value}, '')`, type: "text" });
/** Where it would tell what a masking rule hides, the row has none: its place among others, and a cursor, would say it. */
const shown = (value: RawBuilder<unknown>): Order =>
  text(sql`case when ${isShownAsItIs("t")} then substr(coalesce(${value}), 1, ${sql.lit(MOST_KEY_CHARS)}) end`);

/** Times and numbers are sorted largest first, texts from A to Z. */
const ORDERS: Readonly<Record<TraceOrder, Order>> = {
  started: { key: sql`t."startedAt"`, type: "time", isIndexed: true },
  worked: { key: sql`t."workedMs"`, type: "number", only: hasEnded, isIndexed: true },
  waited: { key: sql`t."waitedMs"`, type: "number", only: hasEnded, isIndexed: true },
  cost: { ...number(sql`t."costUsd"`), isIndexed: true },
  steps: number(sql`t."steps"`),
  tokens: {
    ...number(sql`t."inputTokens" + t."cachedReadTokens" + t."cachedWriteTokens" + t."outputTokens"`),
    isIndexed: true,
  },
  message: shown(sql`t."firstLine", t."title", ''`),
  status: text(sql`t."status"`),
  agent: text(sql`t."agentId"`),
  model: text(sql`t."model"`),
  thread: shown(sql`t."title", ''`),
  origin: text(sql`t."origin"`),
  firstToken: number(sql`t."timeToFirstTokenMs"`),
  person: text(sql`(select u."name" from "user" u where u."id" = t."ownerId")`),
};

export interface TracePlace {
  readonly id: string;
  readonly key: Key;
}

/** Whether a cursor's key is one of this order. */
export function isKeyOf(order: TraceOrder, key: Key): boolean {
  return (typeof key === "number") === (ORDERS[order].type === "number");
}

/** Ids in their order, at most `limit`, after the place. */
export async function selectTracePage(
  database: Database,
  selection: TraceSelection,
  { order, after, limit }: { readonly order: TraceOrder; readonly after: TracePlace | null; readonly limit: number },
): Promise<TracePlace[]> {
  const { key, type, only, isIndexed } = ORDERS[order];
  const isAscending = type === "text";
  const beyond = sql.raw(isAscending ? ">" : "<");
  const choices = choiceConditions(selection.choices);
  const conditions = [
    ...baseConditions(selection),
    ...choices.values(),
    ...(only ? [only] : []),
    ...(after ? [sql<boolean>`(${key}, t."id") ${beyond} (${after.key}, ${after.id})`] : []),
    // SQLite finds the place of a computed key in an index by this alone.
    ...(after && type === "number" ? [sql<boolean>`${key} <= ${after.key}`] : []),
  ];
  const direction = sql.raw(isAscending ? "asc" : "desc");
  const statement = textStatement(sql<TracePlace>`select t."id", ${key} as "key" from "trace" t
    where ${all(conditions)} order by ${key} ${direction}, t."id" ${direction} limit ${limit}`);
  const isQuick = isIndexed === true && choices.size === 0 && !selection.found && !selection.problem;
  if (isQuick) return database.execute(statement);
  return database.readAside(statement);
}
