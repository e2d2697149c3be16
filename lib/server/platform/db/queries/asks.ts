import type { Insertable } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { updateRows } from "@/lib/server/platform/db/statements";

interface GrantRow {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  readonly pattern: string | null;
  /** Null for a grant from before hashes of the rules were stored. */
  readonly rulesHash: string | null;
}

/** The person's own grants in force for the thread and the one it works for, oldest first. */
export function selectGrants(database: Database, threadId: string, ownerId: string): Promise<GrantRow[]> {
  return database.raw<GrantRow>(
    `select "id", "tool", "args", "pattern", "rulesHash" from "grant"
      where ("threadId" = $1 or "threadId" = (select "parentThreadId" from "thread" where "id" = $1))
        and "ownerId" = $3 and "revokedAt" is null and "expiresAt" > $2 order by "createdAt", "id"`,
    [threadId, new Date(), ownerId],
  );
}

/**
 * The grant takes the place of an earlier one for the same call, whose row stays, because calls and steps name it. Of
 * two that are given at the same time, the first one stands.
 */
export function replaceGrantStatements(grant: Insertable<Tables["grant"]>): SqlStatement[] {
  const { threadId, tool, argsHash, createdAt } = grant;
  return [
    build
      .updateTable("grant")
      .set({ revokedAt: createdAt })
      .where("threadId", "=", threadId)
      .where("tool", "=", tool)
      .where("argsHash", "=", argsHash)
      .where("revokedAt", "is", null)
      .compile(),
    build
      .insertInto("grant")
      .values(grant)
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
  ];
}

interface RefusalRow {
  readonly toolCallId: string;
  readonly tool: string;
  readonly args: string;
  readonly status: "denied" | "expired";
  readonly note: string | null;
  readonly decidedBy: string | null;
}

/** What people refused in the tree's other runs, or did not decide on in time, oldest first. */
export function selectRefusals(database: Database, runId: string, rootRunId: string): Promise<RefusalRow[]> {
  return database.raw<RefusalRow>(
    `select "toolCallId", "tool", "args", "status", "note", "decidedBy" from "approval"
      where "runId" in (select "id" from "run" where "rootRunId" = $2 union all select $2) and "runId" <> $1
        and "kind" = 'approval' and "status" in ('denied', 'expired') order by "decidedAt", "id"`,
    [runId, rootRunId],
  );
}

interface Waiting {
  readonly askedAtMs: number;
  readonly decidedAtMs: number | null;
}

/** When the run and its subagents asked people, in the order of asking, and when each ask was decided. */
export async function selectWaitsOfTree(database: Database, rootRunId: string): Promise<Waiting[]> {
  const rows = await database.raw<{ createdAt: string; decidedAt: string | null }>(
    `select "createdAt", "decidedAt" from "approval"
      where "runId" = $1 or "runId" in (select "id" from "run" where "rootRunId" = $1) order by "createdAt", "id"`,
    [rootRunId],
  );
  const timeOf = (text: string) => new Date(text).getTime();
  return rows.map(({ createdAt, decidedAt }) => ({
    askedAtMs: timeOf(createdAt),
    decidedAtMs: decidedAt === null ? null : timeOf(decidedAt),
  }));
}

interface Outcome {
  readonly status: "declined" | "expired";
  readonly decidedVia?: string;
  readonly decidedAt: Date;
}

/** Closes the run's open asks, on which nobody has decided. */
export function closeApprovalsStatement(runId: string, outcome: Outcome): SqlStatement {
  return updateRows("approval", { runId, status: "pending" }, { ...outcome });
}

const MAX_MESSAGES = 1_000;

/** The latest messages of the thread that came with runs of these origins, and what people answered to its asks. */
export async function selectTextsOfPeople(
  database: Database,
  threadId: string,
  origins: readonly string[],
): Promise<string[]> {
  const places = origins.map((_, index) => `$${index + 3}`).join(", ");
  const messages = await database.raw<{ text: string }>(
    `select m."text" from "transcript_message" m join "run" r on r."id" = m."runId"
      where m."threadId" = $1 and m."role" = 'user' and r."origin" in (${places})
      order by m."position" desc limit $2`,
    [threadId, MAX_MESSAGES, ...origins],
  );
  const decisions = await database.raw<{ answers: string | null; note: string | null; editedArgs: string | null }>(
    `select "answers", "note", "editedArgs" from "approval" where "runId" in
        (select "id" from "run" where "threadId" = $1 or "rootRunId" in (select "id" from "run" where "threadId" = $1))
      and ("answers" is not null or "note" is not null or "editedArgs" is not null)
      order by "createdAt" desc limit $2`,
    [threadId, MAX_MESSAGES],
  );
  const said = decisions.flatMap(({ answers, note, editedArgs }) => [answers, note, editedArgs]);
  return [...messages.map(({ text }) => text), ...said.filter((text) => text !== null)];
}

/** Events in which a call of the tool, in any run of the tree, has ended: JSON of RunEvent. */
export async function selectResultsInTree(database: Database, rootRunId: string, tool: string): Promise<string[]> {
  const rows = await database.raw<{ data: string }>(
    `select "data" from "run_event"
      where "runId" in (select "id" from "run" where "rootRunId" = $1 union all select $1)
        and "type" = 'tool.result' and "data" like $2`,
    [rootRunId, `%"name":"${tool}"%`],
  );
  return rows.map(({ data }) => data);
}
