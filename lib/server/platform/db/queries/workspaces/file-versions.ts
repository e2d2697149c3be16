import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";
import { readRows } from "@/lib/server/platform/db/rows";

/** The hash of each file's last version, by path; null for a deletion. */
export type LastHashes = ReadonlyMap<string, string | null>;

interface LastVersion {
  readonly path: string;
  readonly blobHash: string | null;
}

/** For up to `limit` files of the workspace. */
export async function selectLastHashes(database: Database, workspaceId: string, limit: number): Promise<LastHashes> {
  const rows = await database.raw<LastVersion>(
    `select v."path", v."blobHash" from "file_version" v
     join (select "path", max("version") as "version" from "file_version" where "workspaceId" = $1 group by "path"
       limit ${limit}) as latest
       on latest."path" = v."path" and latest."version" = v."version"
     where v."workspaceId" = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ path, blobHash }) => [path, blobHash]));
}

/** For those of the paths that have a version. */
export async function selectLastHashesAt(
  database: Database,
  workspaceId: string,
  paths: readonly string[],
): Promise<LastHashes> {
  if (paths.length === 0) return new Map();
  const wanted = database.dialect.rows("wanted", { path: "text" }, "$2");
  const rows = await database.raw<LastVersion>(
    `select v."path", v."blobHash" from "file_version" v join ${wanted} on wanted."path" = v."path"
     where v."workspaceId" = $1 and v."version" = (select max(l."version") from "file_version" l
       where l."workspaceId" = $1 and l."path" = v."path")`,
    [workspaceId, sqlJson(paths.map((path) => ({ path })))],
  );
  return new Map(rows.map(({ path, blobHash }) => [path, blobHash]));
}

export interface VersionThen {
  readonly path: string;
  readonly version: number;
  readonly sizeBytes: number;
  /** Whether the version's content is still stored. */
  readonly isKept: boolean;
  /** The file's current last version, and whether that is a deletion. */
  readonly lastVersion: number;
  readonly isGone: boolean;
}

/** Up to `limit` files that the workspace had at a given time, as they were then, by path. */
export async function selectVersionsThen(
  database: Database,
  workspaceId: string,
  { at, limit }: { readonly at: Date; readonly limit: number },
): Promise<VersionThen[]> {
  const rows = await database.raw(
    `select v."path", v."version", v."sizeBytes", b."hash" is not null as "isKept",
       l."version" as "lastVersion", l."blobHash" is null as "isGone"
     from (select "path", max("version") as "last", max(case when "createdAt" <= $2 then "version" end) as "then"
       from "file_version" where "workspaceId" = $1 group by "path") f
     join "file_version" v on v."workspaceId" = $1 and v."path" = f."path" and v."version" = f."then"
     join "file_version" l on l."workspaceId" = $1 and l."path" = f."path" and l."version" = f."last"
     left join "blob" b on b."hash" = v."blobHash"
     where v."blobHash" is not null order by v."path" limit ${limit}`,
    [workspaceId, at],
  );
  return readRows<VersionThen>(rows, { flags: ["isKept", "isGone"] });
}

export interface NewVersion {
  readonly workspaceId: string;
  readonly path: string;
  /** Null for a deletion. */
  readonly blobHash: string | null;
  readonly sizeBytes: number;
  readonly addedLines: number;
  readonly removedLines: number;
  /** Null, like `runId`, if the change came from outside. */
  readonly authorId: string | null;
  readonly threadId: string | null;
  readonly runId: string | null;
  readonly toolCallId: string | null;
  readonly spanId: string | null;
  /** The model call of the run whose tool made the change. */
  readonly step: number | null;
  /** What was there before: the hash of its content, `absent` or `unknown`. */
  readonly before: string;
}

/**
 * Sets the author of the file's last version to that of `version` if it has the same content and no author yet. Returns
 * its number; null otherwise.
 */
export async function updateVersionAuthor(database: Database, version: NewVersion): Promise<number | null> {
  const sql = `update "file_version" set "authorId" = $4, "threadId" = $5, "runId" = $6, "toolCallId" = $7, "spanId" = $8, "step" = $9
    where "workspaceId" = $1 and "path" = $2 and "blobHash" = $3 and "runId" is null and "authorId" is null
      and "version" = (select max(l."version") from "file_version" l where l."workspaceId" = $1 and l."path" = $2)
    returning "version"`;
  const { workspaceId, path, blobHash, authorId, threadId, runId, toolCallId, spanId, step } = version;
  const parameters = [workspaceId, path, blobHash, authorId, threadId, runId, toolCallId, spanId, step];
  const [row] = await database.raw<{ version: number }>(sql, parameters);
  return row?.version ?? null;
}

/**
 * `unless-same`: not if the last version has this content; `…-by-nobody`: likewise, but only if that version has no
 * author.
 */
export type VersionCondition = "always" | "unless-same" | "unless-same-by-nobody";

const lastHash = (condition: string) => `having coalesce((select l."blobHash" from "file_version" l
  where l."workspaceId" = $2 and l."path" = $3 ${condition} order by l."version" desc limit 1), '') <> $4`;

const CONDITIONS: Readonly<Record<VersionCondition, string>> = {
  always: "",
  "unless-same": lastHash(""),
  "unless-same-by-nobody": lastHash(`and l."runId" is null and l."authorId" is null
  and l."version" = (select max("version") from "file_version" where "workspaceId" = $2 and "path" = $3)`),
};

/**
 * The file's next version, and the next change of its workspace. Returns the version's number; null if the condition is
 * not met or another process took one of the two numbers.
 */
export async function insertFileVersion(
  database: Database,
  version: NewVersion,
  condition: VersionCondition,
): Promise<number | null> {
  const sql = `insert into "file_version" ("id", "workspaceId", "path", "version", "blobHash", "sizeBytes", "addedLines",
      "removedLines", "authorId", "threadId", "runId", "toolCallId", "spanId", "createdAt", "step", "before", "seq")
    select $1, $2, $3, coalesce(max("version"), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      (select coalesce(max(s."seq"), 0) + 1 from "file_version" s where s."workspaceId" = $2)
    from "file_version" where "workspaceId" = $2 and "path" = $3 ${CONDITIONS[condition]}
    on conflict do nothing
    returning "version"`;
  const { workspaceId, path, blobHash, sizeBytes, addedLines, removedLines } = version;
  const { authorId, threadId, runId, toolCallId, spanId, step, before } = version;
  const [row] = await database.raw<{ version: number }>(sql, [
    ...[createId("fv"), workspaceId, path, blobHash, sizeBytes, addedLines, removedLines],
    ...[authorId, threadId, runId, toolCallId, spanId, new Date(), step, before],
  ]);
  return row?.version ?? null;
}
