import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { idRows, jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { withDates } from "@/lib/server/platform/db/rows";

/** An ended run whose cost is unknown. */
export interface UnpricedRun {
  readonly id: string;
  readonly threadId: string;
  readonly traceId: string;
  readonly depth: number;
  readonly endedAt: Date;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isUsagePartial: boolean;
}

function unpricedRuns() {
  return build.selectFrom("run").where("costUsd", "is", null).where("endedAt", "is not", null);
}

/** Up to `limit` of them in the order in which they ended; through `run_unpriced_idx`. */
export async function selectUnpricedRuns(
  database: Database,
  after: Pick<UnpricedRun, "id" | "endedAt"> | null,
  limit: number,
): Promise<UnpricedRun[]> {
  const [time, id] = [sqlTimestamp(after?.endedAt ?? new Date(0)), after?.id ?? ""];
  const rows = await database.execute(
    unpricedRuns()
      .select(["id", "threadId", "traceId", "depth", "inputTokens", "outputTokens", "isUsagePartial"])
      .select((eb) => eb.ref("endedAt").$notNull().as("endedAt"))
      .where((eb) => eb(eb.refTuple("endedAt", "id"), ">", eb.tuple(time, id)))
      .orderBy("endedAt")
      .orderBy("id")
      .limit(Math.floor(limit)),
  );
  return withDates(rows, "endedAt");
}

export async function countUnpricedRuns(database: Database): Promise<number> {
  const [row] = await database.execute(unpricedRuns().select((eb) => eb.fn.countAll<number>().as("count")));
  return row?.count ?? 0;
}

/** The value of `name` in the attributes of the span `s`; null if absent. */
function textAttribute({ provider }: Dialect, name: string): RawBuilder<string | null> {
  if (provider === "sqlite") return sql`json_extract(s."attributes", ${sql.lit(`$.${name}`)})`;
  return sql`(s."attributes"::jsonb ->> ${sql.lit(name)})`;
}

function numberAttribute(dialect: Dialect, name: string): RawBuilder<number | null> {
  const text = textAttribute(dialect, name);
  return dialect.provider === "sqlite" ? text.$castTo<number | null>() : sql`${text}::double precision`;
}

/** Model calls that report their usage. */
function callSpans(dialect: Dialect) {
  return build
    .selectFrom("span as s")
    .where("s.type", "in", ["llm", "summary"])
    .where("s.endedAt", "is not", null)
    .where(numberAttribute(dialect, "input_tokens"), "is not", null);
}

export interface UnpricedCall {
  readonly id: string;
  readonly model: string | null;
  readonly inputTokens: number;
  readonly cachedReadTokens: number;
  readonly cachedWriteTokens: number;
  readonly outputTokens: number;
}

const TOKENS = [
  ["inputTokens", "input_tokens"],
  ["cachedReadTokens", "cached_read_tokens"],
  ["cachedWriteTokens", "cached_write_tokens"],
  ["outputTokens", "output_tokens"],
] as const;

/** Up to `limit` model calls of the run, after the span `after`, whose cost is unknown. */
export function selectUnpricedCalls(
  database: Database,
  { id, traceId }: Pick<UnpricedRun, "id" | "traceId">,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UnpricedCall[]> {
  const { dialect } = database;
  return database.execute(
    callSpans(dialect)
      .select("s.id")
      .select(textAttribute(dialect, "model").as("model"))
      .select(TOKENS.map(([name, attribute]) => tokensOf(dialect, attribute).as(name)))
      .where("s.traceId", "=", traceId)
      .where("s.runId", "=", id)
      .where("s.id", ">", after)
      .where(numberAttribute(dialect, "cost_usd"), "is", null)
      .orderBy("s.id")
      .limit(Math.floor(limit))
      .$castTo<UnpricedCall>(),
  );
}

function tokensOf(dialect: Dialect, attribute: string) {
  return sql<number>`coalesce(${numberAttribute(dialect, attribute)}, 0)`;
}

export interface PricedCall {
  readonly id: string;
  readonly costUsd: number;
  /** As stored with the call. */
  readonly price: unknown;
}

/** Keeps a cost that is already known. */
export async function setCallCosts(database: Database, calls: readonly PricedCall[]): Promise<void> {
  if (calls.length === 0) return;
  const { dialect } = database;
  const attributes =
    dialect.provider === "sqlite"
      ? sql<string>`json_set(s."attributes", '$.cost_usd', c."costUsd", '$.price', json(c."price"))`
      : sql<string>`(s."attributes"::jsonb || jsonb_build_object('cost_usd', c."costUsd", 'price', c."price"::jsonb))::text`;
  const priced = jsonRows(dialect, { id: "text", costUsd: "float", price: "json" }, calls);
  await database.execute(
    build
      .updateTable("span as s")
      .from(priced.as("c"))
      .set({ attributes })
      .whereRef("s.id", "=", "c.id")
      .where(numberAttribute(dialect, "cost_usd"), "is", null),
  );
}

/** What is known about the costs of a run's own calls, or of the subagents that it counts. */
export interface CostParts {
  readonly unknown: number;
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The run's own model calls, then its counted subagents. */
export async function selectCostParts(
  database: Database,
  { id, traceId }: Pick<UnpricedRun, "id" | "traceId">,
): Promise<CostParts[]> {
  const { dialect } = database;
  const cost = numberAttribute(dialect, "cost_usd");
  const sum = <Name extends string>(value: RawBuilder<unknown>, name: Name) =>
    sql<number>`coalesce(sum(${value}), 0)`.as(name);
  const ofCalls = callSpans(dialect)
    .select([
      sql<number>`count(*) - count(${cost})`.as("unknown"),
      sum(cost, "costUsd"),
      sum(numberAttribute(dialect, "input_tokens"), "inputTokens"),
      sum(numberAttribute(dialect, "output_tokens"), "outputTokens"),
    ])
    .where("s.traceId", "=", traceId)
    .where("s.runId", "=", id);
  const ofChildren = build
    .selectFrom("run")
    .select([
      sql<number>`count(*) - count("costUsd")`.as("unknown"),
      sum(sql.ref("costUsd"), "costUsd"),
      sum(sql.ref("inputTokens"), "inputTokens"),
      sum(sql.ref("outputTokens"), "outputTokens"),
    ])
    .where("parentRunId", "=", id)
    .where("isReported", "=", true);
  return database.execute(ofCalls.unionAll(ofChildren));
}

/**
 * Fills in the cost of a run, of its trace and, if nothing else is unknown, of its thread. False if the run has changed
 * since it was read.
 */
export async function setRunCost(database: Database, run: UnpricedRun, costUsd: number): Promise<boolean> {
  const { id, traceId, threadId, inputTokens, outputTokens } = run;
  const ofThread = build.selectFrom("run as r").where("r.threadId", "=", threadId).where("r.endedAt", "is not", null);
  const [changed = []] = await database.runAll(
    [
      build
        .updateTable("run")
        .set({ costUsd })
        .where("id", "=", id)
        .where("costUsd", "is", null)
        .where("inputTokens", "=", inputTokens)
        .where("outputTokens", "=", outputTokens)
        .returning("id")
        .compile(),
      build
        .updateTable("trace")
        .set((eb) => ({ costUsd: eb.selectFrom("run as r").select("r.costUsd").where("r.id", "=", id) }))
        .where("id", "=", traceId)
        .where("runId", "=", id)
        .where("costUsd", "is", null)
        .where("endedAt", "is not", null)
        .compile(),
      build
        .updateTable("thread")
        .set({ costUsd: ofThread.select((eb) => eb.fn.sum<number>("r.costUsd").as("costUsd")) })
        .where("id", "=", threadId)
        .where("costUsd", "is", null)
        .where((eb) => eb.not(eb.exists(ofThread.select("r.id").where("r.costUsd", "is", null))))
        .compile(),
    ],
    "normal",
  );
  return changed.length > 0;
}

/** The usage of one model's unpriced calls in these runs. */
export interface UnpricedUse extends Omit<UnpricedCall, "id" | "model"> {
  /** The root runs. */
  readonly rootId: string;
  readonly startedAt: Date;
}

/** One row for each root run with such calls. */
export async function selectUnpricedUse(
  database: Database,
  model: string,
  runIds: readonly string[],
): Promise<UnpricedUse[]> {
  const { dialect } = database;
  const rootId = sql<string>`coalesce(r."rootRunId", r."id")`;
  const rows = await database.execute(
    callSpans(dialect)
      .innerJoin("run as r", (join) => join.onRef("r.traceId", "=", "s.traceId").onRef("r.id", "=", "s.runId"))
      .innerJoin(idRows(dialect, runIds).as("wanted"), "wanted.id", "r.id")
      .select(rootId.as("rootId"))
      .select((eb) => eb.fn.min("r.createdAt").as("startedAt"))
      .select(TOKENS.map(([name, attribute]) => sql<number>`sum(${tokensOf(dialect, attribute)})`.as(name)))
      .where(numberAttribute(dialect, "cost_usd"), "is", null)
      .where(textAttribute(dialect, "model"), "=", model)
      .groupBy(rootId)
      .$castTo<Omit<UnpricedUse, "startedAt"> & { startedAt: string }>(),
  );
  return withDates(rows, "startedAt");
}
