import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";
import { isHome } from "./problems";

/** Whose spending counts: a column of the trace and what it must be; the people of a group. */
export interface SpentScope {
  readonly since: Date;
  readonly column?: { readonly name: "agentId" | "ownerId" | "apiKeyId" | "projectId"; readonly value: string };
  readonly groupId?: string;
  /** The agents that a key is limited to, by the home of the trace. */
  readonly reach?: readonly string[] | undefined;
}

interface SpentRunRow {
  readonly id: string;
  readonly runId: string;
  readonly threadId: string;
  readonly ownerId: string;
  readonly title: string | null;
  readonly costUsd: number | null;
  readonly tokens: number;
  readonly startedAt: string;
}

/** What a run and its subagents spent. */
export type SpentRun = Omit<SpentRunRow, "startedAt"> & { readonly startedAt: Date };

/** In the order in which they began, after the place; without replays. */
export async function selectSpentRuns(
  database: Database,
  { since, column, groupId, reach }: SpentScope,
  { after, limit }: { readonly after: SpentRun | null; readonly limit: number },
): Promise<SpentRun[]> {
  const rows = await database.readAside(
    textStatement(sql<SpentRunRow>`select t."id", t."runId", t."threadId", t."ownerId", t."title", t."costUsd",
        t."inputTokens" + t."cachedReadTokens" + t."cachedWriteTokens" + t."outputTokens" as "tokens", t."startedAt"
      from "trace" t
      where (t."startedAt", t."id") > (${sqlTimestamp(after?.startedAt ?? since)}, ${after?.id ?? ""})
        and t."origin" <> 'replay'
        ${column === undefined ? sql`` : sql`and t.${sql.ref(column.name)} = ${column.value}`}
        ${groupId === undefined ? sql`` : sql`and t."ownerId" in (select m."userId" from "group_member" m where m."groupId" = ${groupId})`}
        ${reach === undefined ? sql`` : sql`and ${isHome(reach)}`}
      order by t."startedAt", t."id" limit ${limit}`),
  );
  return withDates(rows, "startedAt");
}
