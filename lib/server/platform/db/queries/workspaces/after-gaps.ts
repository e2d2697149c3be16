import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { idRows } from "@/lib/server/platform/db/kysely/json-rows";

/** A file, by its workspace and path. */
export interface FilePlace {
  readonly workspaceId: string;
  readonly path: string;
}

/** The files where the version before the first one by calls of these runs is gone, by workspace and path. */
export async function selectAfterGaps(database: Database, runIds: readonly string[]): Promise<FilePlace[]> {
  const first = build
    .selectFrom("file_version as own")
    .innerJoin(idRows(database.dialect, runIds).as("of"), "of.id", "own.runId")
    .select((eb) => ["own.workspaceId", "own.path", eb.fn.min<number>("own.version").as("version")])
    .where("own.toolCallId", "is not", null)
    .where("own.version", ">", 1)
    .groupBy(["own.workspaceId", "own.path"]);
  return database.execute(
    build
      .selectFrom(first.as("first"))
      .leftJoin("file_version as earlier", (join) =>
        join
          .onRef("earlier.workspaceId", "=", "first.workspaceId")
          .onRef("earlier.path", "=", "first.path")
          .on((eb) => eb("earlier.version", "=", eb("first.version", "-", 1))),
      )
      .select(["first.workspaceId", "first.path"])
      .where("earlier.id", "is", null)
      .orderBy("first.workspaceId")
      .orderBy("first.path"),
  );
}
