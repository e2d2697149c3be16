import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";

interface LastChange {
  readonly workspaceId: string;
  readonly runId: string;
  readonly seq: number;
}

/** The last change by a call of each run, in each workspace; of however many runs. */
export function selectLastChanges(database: Database, runIds: readonly string[]): Promise<LastChange[]> {
  return database.execute(
    build
      .selectFrom("file_version as own")
      .innerJoin(idRows(database.dialect, runIds).as("of"), "of.id", "own.runId")
      .select((eb) => ["own.workspaceId", "own.runId", eb.fn.max<number>("own.seq").as("seq")])
      .where("own.toolCallId", "is not", null)
      .groupBy(["own.workspaceId", "own.runId"])
      .$narrowType<{ runId: string }>(),
  );
}
