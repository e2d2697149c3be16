import { type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { build } from "@/lib/server/platform/db/kysely/build";

/** A file as it was after a change of its workspace. */
export interface FileThen {
  readonly path: string;
  readonly version: number;
  readonly blobHash: string | null;
  readonly sizeBytes: number;
  readonly runId: string | null;
  readonly step: number | null;
  /** The hash again if the content is still stored. */
  readonly keptHash: string | null;
}

interface Moment {
  readonly workspaceId: string;
  /** The number of the last change that counts (`FileVersion.seq`). */
  readonly seq: number;
}

/** The number of one version of each file. */
type Chosen = SelectQueryBuilder<Tables, "file_version", { path: string; version: number }>;

function versionsOf(workspaceId: string) {
  return build.selectFrom("file_version").select("path").where("workspaceId", "=", workspaceId).groupBy("path");
}

/** The files at their chosen versions, by path. */
function filesAt(workspaceId: string, chosen: Chosen, limit: number) {
  return build
    .selectFrom(chosen.as("chosen"))
    .innerJoin("file_version as v", (join) =>
      join
        .onRef("v.path", "=", "chosen.path")
        .onRef("v.version", "=", "chosen.version")
        .on("v.workspaceId", "=", workspaceId),
    )
    .leftJoin("blob as b", "b.hash", "v.blobHash")
    .select(["v.path", "v.version", "v.blobHash", "v.sizeBytes", "v.runId", "v.step", "b.hash as keptHash"])
    .orderBy("v.path")
    .limit(limit);
}

/** The files that had a version by then and were not deleted, by path. Versions from before changes were numbered count. */
export function selectFilesThen(database: Database, { workspaceId, seq }: Moment, limit: number): Promise<FileThen[]> {
  const latest = versionsOf(workspaceId)
    .select((eb) => eb.fn.max<number>("version").as("version"))
    .where((eb) => eb.or([eb("seq", "is", null), eb("seq", "<=", seq)]));
  return database.readAside(filesAt(workspaceId, latest, limit).where("v.blobHash", "is not", null));
}

/** The first version that is left of a file that has none from before the moment. */
export interface FirstLeft extends FileThen {
  /** Its content was there before a run changed the file for the first time, and was kept then. */
  readonly isOriginal: boolean;
}

/**
 * The files whose first remaining version came later: they did not exist then, or existed without a version, or (from
 * version 2 on) their earlier versions were cleaned up.
 */
export async function selectFirstLeft(
  database: Database,
  { workspaceId, seq }: Moment,
  limit: number,
): Promise<FirstLeft[]> {
  const first = versionsOf(workspaceId).select((eb) => eb.fn.min<number>("version").as("version"));
  const rows = await database.readAside(
    filesAt(workspaceId, first, limit)
      .leftJoin("file_version as n", (join) =>
        join
          .onRef("n.workspaceId", "=", "v.workspaceId")
          .onRef("n.path", "=", "v.path")
          .on("n.version", "=", 2)
          .onRef("n.before", "=", "v.blobHash")
          .on("n.runId", "is not", null),
      )
      .select(["v.authorId", "v.before", "n.id as nextId"])
      .where("v.seq", ">", seq),
  );
  return rows.map(({ authorId, before, nextId, ...row }) => ({
    ...row,
    isOriginal: row.version === 1 && row.runId === null && authorId === null && before === "unknown" && nextId !== null,
  }));
}

/** The number of the workspace's last change by the run; 0 for none. */
export async function selectLastChangeOf(
  database: Database,
  { workspaceId, runId }: { readonly workspaceId: string; readonly runId: string },
): Promise<number> {
  const [row] = await database.execute(
    build
      .selectFrom("file_version")
      .select(sql<number | null>`max("seq")`.as("seq"))
      .where("workspaceId", "=", workspaceId)
      .where("runId", "=", runId)
      .where("step", "is not", null),
  );
  return row?.seq ?? 0;
}
