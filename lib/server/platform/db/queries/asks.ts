import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sqlite-writer";
import { updateRows } from "@/lib/server/platform/db/statements";

interface GrantRow {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
}

/** The grants in force for the thread and the one it works for, oldest first. */
export function selectGrants(database: Database, threadId: string): Promise<GrantRow[]> {
  return database.raw<GrantRow>(
    `select "id", "tool", "args" from "grant"
      where ("threadId" = $1 or "threadId" = (select "parentThreadId" from "thread" where "id" = $1))
        and "revokedAt" is null and "expiresAt" > $2 order by "createdAt", "id"`,
    [threadId, new Date()],
  );
}

interface Outcome {
  readonly status: "declined" | "expired";
  readonly decidedVia?: string;
  readonly decidedAt: Date;
}

/** What the run still asks, nobody has decided. */
export function closeApprovalsStatement(runId: string, outcome: Outcome): SqlStatement {
  return updateRows("approval", { runId, status: "pending" }, { ...outcome });
}
