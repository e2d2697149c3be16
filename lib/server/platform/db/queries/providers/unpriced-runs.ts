import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";

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

/** Up to `limit` of them in the order in which they ended; through `run_unpriced_idx`. */
export async function selectUnpricedRuns(
  database: Database,
  after: Pick<UnpricedRun, "id" | "endedAt"> | null,
  limit: number,
): Promise<UnpricedRun[]> {
  const rows = await database.raw(
    `select "id", "threadId", "traceId", "depth", "endedAt", "inputTokens", "outputTokens", "isUsagePartial" from "run"
      where "costUsd" is null and "endedAt" is not null and ("endedAt", "id") > ($1, $2)
      order by "endedAt", "id" limit ${Math.floor(limit)}`,
    [after?.endedAt ?? new Date(0), after?.id ?? ""],
  );
  return readRows<UnpricedRun>(rows, { dates: ["endedAt"], flags: ["isUsagePartial"] });
}

export async function countUnpricedRuns(database: Database): Promise<number> {
  const [row] = await database.raw<{ count: number | bigint }>(
    `select count(*) as "count" from "run" where "costUsd" is null and "endedAt" is not null`,
  );
  return Number(row?.count ?? 0);
}

/** The value of `name` in a span's attributes; null if absent. */
function attribute({ dialect }: Database, name: string, type: "text" | "double precision"): string {
  if (dialect.provider === "sqlite") return `json_extract(s."attributes", '$.${name}')`;
  const text = `(s."attributes"::jsonb ->> '${name}')`;
  return type === "text" ? text : `${text}::double precision`;
}

/** A model call that reports its usage. */
function isCall(database: Database): string {
  const used = attribute(database, "input_tokens", "double precision");
  return `s."type" in ('llm', 'summary') and s."endedAt" is not null and ${used} is not null`;
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
export async function selectUnpricedCalls(
  database: Database,
  { id, traceId }: Pick<UnpricedRun, "id" | "traceId">,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<UnpricedCall[]> {
  const tokens = TOKENS.map(
    ([name, column]) => `coalesce(${attribute(database, column, "double precision")}, 0) as "${name}"`,
  );
  return database.raw<UnpricedCall>(
    `select s."id", ${attribute(database, "model", "text")} as "model", ${tokens.join(", ")} from "span" s
      where s."traceId" = $1 and s."runId" = $2 and s."id" > $3 and ${isCall(database)}
        and ${attribute(database, "cost_usd", "double precision")} is null
      order by s."id" limit ${Math.floor(limit)}`,
    [traceId, id, after],
  );
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
  const isSqlite = database.dialect.provider === "sqlite";
  const attributes = isSqlite
    ? `json_set(s."attributes", '$.cost_usd', c."costUsd", '$.price', json(c."price"))`
    : `(s."attributes"::jsonb || jsonb_build_object('cost_usd', c."costUsd", 'price', c."price"::jsonb))::text`;
  const columns = { id: "text", costUsd: "float", price: "json" } as const;
  await database.raw(
    `update "span" as s set "attributes" = ${attributes} from ${database.dialect.rows("c", columns, "$1")}
      where s."id" = c."id" and ${attribute(database, "cost_usd", "double precision")} is null`,
    [sqlJson(calls)],
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
  const cost = attribute(database, "cost_usd", "double precision");
  const sum = (value: string) => `coalesce(sum(${value}), 0)`;
  const rows = await database.raw<Record<keyof CostParts, number | bigint>>(
    `select count(*) - count(${cost}) as "unknown", ${sum(cost)} as "costUsd",
        ${sum(attribute(database, "input_tokens", "double precision"))} as "inputTokens",
        ${sum(attribute(database, "output_tokens", "double precision"))} as "outputTokens"
      from "span" s where s."traceId" = $1 and s."runId" = $2 and ${isCall(database)}
    union all
    select count(*) - count("costUsd"), ${sum('"costUsd"')}, ${sum('"inputTokens"')}, ${sum('"outputTokens"')}
      from "run" where "parentRunId" = $2 and "isReported"`,
    [traceId, id],
  );
  return rows.map(({ unknown, costUsd, inputTokens, outputTokens }) => ({
    unknown: Number(unknown),
    costUsd: Number(costUsd),
    inputTokens: Number(inputTokens),
    outputTokens: Number(outputTokens),
  }));
}

/**
 * Fills in the cost of a run, of its trace and, if nothing else is unknown, of its thread. False if the run has changed
 * since it was read.
 */
export async function setRunCost(database: Database, run: UnpricedRun, costUsd: number): Promise<boolean> {
  const { id, traceId, threadId, inputTokens, outputTokens } = run;
  const [changed = []] = await database.runAll(
    [
      {
        sql: `update "run" set "costUsd" = $1 where "id" = $2 and "costUsd" is null
          and "inputTokens" = $3 and "outputTokens" = $4 returning "id"`,
        parameters: [costUsd, id, inputTokens, outputTokens],
      },
      {
        sql: `update "trace" set "costUsd" = (select "costUsd" from "run" where "id" = $2)
          where "id" = $1 and "runId" = $2 and "costUsd" is null and "endedAt" is not null`,
        parameters: [traceId, id],
      },
      {
        sql: `update "thread" set "costUsd" = (select sum("costUsd") from "run" where "threadId" = $1 and "endedAt" is not null)
          where "id" = $1 and "costUsd" is null and not exists (
            select 1 from "run" where "threadId" = $1 and "endedAt" is not null and "costUsd" is null)`,
        parameters: [threadId],
      },
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
  const tokens = TOKENS.map(
    ([name, column]) => `sum(coalesce(${attribute(database, column, "double precision")}, 0)) as "${name}"`,
  );
  const rows = await database.raw(
    `select coalesce(r."rootRunId", r."id") as "rootId", min(r."createdAt") as "startedAt", ${tokens.join(", ")}
      from ${database.dialect.rows("wanted", { id: "text" }, "$1")} join "run" r on r."id" = wanted."id"
      join "span" s on s."traceId" = r."traceId" and s."runId" = r."id"
      where ${isCall(database)} and ${attribute(database, "cost_usd", "double precision")} is null
        and ${attribute(database, "model", "text")} = $2
      group by coalesce(r."rootRunId", r."id")`,
    [sqlJson(runIds.map((id) => ({ id }))), model],
  );
  return readRows<UnpricedUse>(rows, { dates: ["startedAt"] });
}
