import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { textStatement } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";

/** The model calls of a thread with the same prompt (`run_step.promptHash`), those of its subagents included. */
export interface SentPrompts {
  readonly threadId: string;
  readonly promptHash: string;
  readonly prompts: number;
  readonly lastAt: Date;
}

/** The prompts of the runs that worked in the workspace since then. */
export async function selectSentPrompts(database: Database, workspaceId: string, since: Date): Promise<SentPrompts[]> {
  const rows = await database.readAside(
    textStatement(sql<
      Omit<SentPrompts, "lastAt"> & { readonly lastAt: string }
    >`select coalesce(t."parentThreadId", t."id") as "threadId", s."promptHash",
        count(*) as "prompts", max(s."startedAt") as "lastAt"
      from "run_step" s join "run" r on r."id" = s."runId" join "thread" t on t."id" = r."threadId"
      where s."workspaceId" = ${workspaceId} and s."startedAt" >= ${sqlTimestamp(since)}
        and s."promptHash" is not null
      group by 1, 2`),
  );
  return withDates(rows, "lastAt");
}
