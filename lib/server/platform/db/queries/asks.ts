import { type Insertable, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { type Changes, insertRow, type NewRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

interface GrantRow {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  readonly pattern: string | null;
  /** Null for a grant from before hashes of the rules were stored. */
  readonly rulesHash: string | null;
}

const grantsInForce = hotStatement((value: PlaceFor<{ threadId: string; ownerId: string; now: string }>) => {
  const parent = build.selectFrom("thread").select("parentThreadId").where("id", "=", value("threadId"));
  return build
    .selectFrom("grant")
    .select(["id", "tool", "args", "pattern", "rulesHash"])
    .where((eb) => eb.or([eb("threadId", "=", value("threadId")), eb("threadId", "=", parent)]))
    .where("ownerId", "=", value("ownerId"))
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", value("now"))
    .orderBy("createdAt")
    .orderBy("id");
});

/** The person's own grants in force for the thread and the one it works for, oldest first. */
export function selectGrants(database: Database, threadId: string, ownerId: string): Promise<GrantRow[]> {
  return database.execute(grantsInForce({ threadId, ownerId, now: sqlTimestamp(new Date()) }));
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

/** The ids of the runs of a tree. */
function runsOfTree(rootRunId: string) {
  return build
    .selectFrom("run")
    .select("id")
    .where("rootRunId", "=", rootRunId)
    .unionAll(build.selectNoFrom(sql<string>`cast(${rootRunId} as text)`.as("id")));
}

/** What people refused in the tree's other runs, or did not decide on in time, oldest first. */
export function selectRefusals(database: Database, runId: string, rootRunId: string): Promise<RefusalRow[]> {
  return database.execute(
    build
      .selectFrom("approval")
      .select(["toolCallId", "tool", "args", "status", "note", "decidedBy"])
      .where("runId", "in", runsOfTree(rootRunId))
      .where("runId", "<>", runId)
      .where("kind", "=", "approval")
      .where("status", "in", ["denied", "expired"])
      .orderBy("decidedAt")
      .orderBy("id")
      .$narrowType<{ status: RefusalRow["status"] }>(),
  );
}

interface Waiting {
  readonly askedAtMs: number;
  readonly decidedAtMs: number | null;
}

/** When the run and its subagents asked people, in the order of asking, and when each ask was decided. */
export async function selectWaitsOfTree(database: Database, rootRunId: string): Promise<Waiting[]> {
  const rows = await database.execute(
    build
      .selectFrom("approval")
      .select(["createdAt", "decidedAt"])
      .where("runId", "in", runsOfTree(rootRunId))
      .orderBy("createdAt")
      .orderBy("id"),
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

export function insertApprovalStatement(approval: NewRow<"approval">): SqlStatement {
  return insertRow("approval", approval);
}

/** Fails the list of statements if the ask has been decided on. */
export function decideApprovalStatement(id: string, decision: Changes<"approval">): SqlStatement {
  return { ...updateRows("approval", { id, status: "pending" }, decision), mustChange: true };
}

/** Closes the run's open asks, on which nobody has decided. */
export function closeApprovalsStatement(runId: string, outcome: Outcome): SqlStatement {
  return updateRows("approval", { runId, status: "pending" }, { ...outcome });
}

interface ToldPerson {
  readonly userId: string;
  /** A NotificationWay. */
  readonly way: string;
  readonly at: string;
}

/** Adds to the ask that a person was told of it; several messages may be sent at the same moment. */
export function tellOfAskStatement(id: string, person: ToldPerson): SqlStatement {
  const entry = JSON.stringify(person);
  return build
    .updateTable("approval")
    .set({
      told: sql<string>`case when "told" is null then ${`[${entry}]`}
        else substr("told", 1, length("told") - 1) || ${`,${entry}]`} end`,
    })
    .where("id", "=", id)
    .compile();
}

const MAX_MESSAGES = 1_000;

/** The latest messages of the thread that came with runs of these origins, and what people answered to its asks. */
export async function selectTextsOfPeople(
  database: Database,
  threadId: string,
  origins: readonly string[],
): Promise<string[]> {
  const messages = await database.execute(
    build
      .selectFrom("transcript_message as m")
      .innerJoin("run as r", "r.id", "m.runId")
      .select("m.text")
      .where("m.threadId", "=", threadId)
      .where("m.role", "=", "user")
      .where("r.origin", "in", origins)
      .orderBy("m.position", "desc")
      .limit(MAX_MESSAGES),
  );
  const runsOfThread = build.selectFrom("run").select("id").where("threadId", "=", threadId);
  const decisions = await database.execute(
    build
      .selectFrom("approval")
      .select(["answers", "note", "editedArgs"])
      .where("runId", "in", (eb) =>
        eb
          .selectFrom("run")
          .select("id")
          .where((of) => of.or([of("threadId", "=", threadId), of("rootRunId", "in", runsOfThread)])),
      )
      .where((eb) =>
        eb.or([eb("answers", "is not", null), eb("note", "is not", null), eb("editedArgs", "is not", null)]),
      )
      .orderBy("createdAt", "desc")
      .limit(MAX_MESSAGES),
  );
  const said = decisions.flatMap(({ answers, note, editedArgs }) => [answers, note, editedArgs]);
  return [...messages.map(({ text }) => text), ...said.filter((text) => text !== null)];
}

/** Events in which a call of the tool, in any run of the tree, has ended: JSON of RunEvent. */
export async function selectResultsInTree(database: Database, rootRunId: string, tool: string): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom("run_event")
      .select("data")
      .where("runId", "in", runsOfTree(rootRunId))
      .where("type", "=", "tool.result")
      .where("data", "like", `%"name":"${tool}"%`),
  );
  return rows.map(({ data }) => data);
}
