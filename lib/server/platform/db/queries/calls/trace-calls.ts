import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";

const COLUMNS = [
  ...(["runId", "toolCallId", "step", "spanId", "tool", "gist", "args", "status", "error"] as const),
  ...(["startedAt", "endedAt"] as const),
] as const;

/** The tool calls of a trace and its subagents, in the order in which they began. */
export async function selectTraceCalls(database: Database, traceId: string, limit: number) {
  const rows = await database.readAside(
    build
      .selectFrom("call")
      .select(COLUMNS)
      .where("traceId", "=", traceId)
      .orderBy("startedAt")
      .orderBy("toolCallId")
      .limit(limit),
  );
  return withDates(rows, "startedAt", "endedAt");
}
