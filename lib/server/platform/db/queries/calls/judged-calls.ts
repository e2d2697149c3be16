import { type RawBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";
import { isHome } from "./problems";

export interface JudgedCallScope {
  readonly agentId: string;
  readonly since: Date;
  /** Default: everybody's. */
  readonly ownerId?: string | undefined;
  /** The agents that a key is limited to, by the home of the trace. */
  readonly reach?: readonly string[] | undefined;
  /** Only calls of this tool. */
  readonly tool?: string | undefined;
  /** Only calls that a person allowed or denied. */
  readonly isDecided?: boolean;
}

/** A call that the permissions looked at. */
interface JudgedCallRow {
  readonly runId: string;
  readonly toolCallId: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly ownerId: string;
  readonly tool: string;
  readonly gist: string;
  readonly args: string | null;
  readonly argsHash: string;
  readonly annotations: string;
  readonly aliases: string;
  readonly pathArgument: string | null;
  readonly workdir: string | null;
  readonly subject: string | null;
  readonly unknownAddress: string | null;
  readonly verdict: string;
  readonly verdictBy: string | null;
  readonly decision: string | null;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  /** As read. */
  readonly startedAt: string;
}

export type JudgedCall = Omit<JudgedCallRow, "startedAt"> & { readonly startedAt: Date };

/** Newest first, after the place; without drafts and replays. */
export async function selectJudgedCalls(
  database: Database,
  { agentId, since, ownerId, reach, tool, isDecided }: JudgedCallScope,
  { after, limit }: { readonly after: JudgedCall | null; readonly limit: number },
): Promise<JudgedCall[]> {
  const place =
    after &&
    sql`and (c."startedAt", c."runId", c."toolCallId") <
    (${sqlTimestamp(after.startedAt)}, ${after.runId}, ${after.toolCallId})`;
  const calls = sql`select c."runId", c."toolCallId", c."traceId", c."spanId", c."ownerId", c."tool",
        c."gist", c."args", c."argsHash", c."annotations", c."aliases", c."pathArgument", c."workdir", c."subject",
        c."unknownAddress", c."verdict", c."verdictBy", c."decision", c."decidedBy", c."decisionReason", c."startedAt"
      from "call" c join "trace" t on t."id" = c."traceId"
      where c."agentId" = ${agentId} and c."startedAt" >= ${sqlTimestamp(since)} and c."verdict" is not null
        and c."agentVersion" <> 0 and t."origin" <> 'replay'
        ${ownerId === undefined ? sql`` : sql`and c."ownerId" = ${ownerId}`}
        ${reach === undefined ? sql`` : sql`and ${isHome(reach)}`}
        ${tool === undefined ? sql`` : sql`and c."tool" = ${tool}`}
        ${isDecided ? sql`and c."decision" in ('allow', 'edit', 'deny')` : sql``}
        ${place ?? sql``}`;
  const page = sql<JudgedCallRow>`${newestOf(database.dialect, calls, limit)}
      order by c."startedAt" desc, c."runId" desc, c."toolCallId" desc limit ${limit}`;
  return withDates(await database.readAside(textStatement(page)), "startedAt");
}

/**
 * The calls that a page can have: at least the newest `limit`. Where Postgres expects few calls of an agent, it would
 * read all of them for each page and sort them, rather than read the index by time and stop, as SQLite does.
 */
function newestOf({ provider }: Dialect, calls: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  if (provider === "sqlite") return calls;
  return sql`select * from (${calls} order by c."startedAt" desc fetch first (${limit}) rows with ties) c`;
}
