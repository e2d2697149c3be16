import { type SqlBool, sql } from "kysely";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";

/** The hash of each file's last version, by path; null for a deletion. */
export type LastHashes = ReadonlyMap<string, string | null>;

/** For up to `limit` files of the workspace. */
export async function selectLastHashes(database: Database, workspaceId: string, limit: number): Promise<LastHashes> {
  const latest = build
    .selectFrom("file_version")
    .select((eb) => ["path", eb.fn.max("version").as("version")])
    .where("workspaceId", "=", workspaceId)
    .groupBy("path")
    .limit(limit)
    .as("latest");
  const rows = await database.execute(
    build
      .selectFrom("file_version as v")
      .innerJoin(latest, (join) => join.onRef("latest.path", "=", "v.path").onRef("latest.version", "=", "v.version"))
      .select(["v.path", "v.blobHash"])
      .where("v.workspaceId", "=", workspaceId),
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
  const wanted = jsonRows(
    database.dialect,
    { path: "text" },
    paths.map((path) => ({ path })),
  );
  const rows = await database.execute(
    build
      .selectFrom("file_version as v")
      .innerJoin(wanted.as("wanted"), "wanted.path", "v.path")
      .select(["v.path", "v.blobHash"])
      .where("v.workspaceId", "=", workspaceId)
      .where("v.version", "=", (eb) =>
        eb
          .selectFrom("file_version as l")
          .select((of) => of.fn.max("l.version").as("version"))
          .where("l.workspaceId", "=", workspaceId)
          .whereRef("l.path", "=", "v.path"),
      ),
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
  const files = build
    .selectFrom("file_version")
    .select((eb) => [
      "path",
      eb.fn.max("version").as("last"),
      sql<number | null>`max(case when "createdAt" <= ${sqlTimestamp(at)} then "version" end)`.as("then"),
    ])
    .where("workspaceId", "=", workspaceId)
    .groupBy("path");
  const rows = await database.execute(
    build
      .selectFrom(files.as("f"))
      .innerJoin("file_version as v", (join) =>
        join.on("v.workspaceId", "=", workspaceId).onRef("v.path", "=", "f.path").onRef("v.version", "=", "f.then"),
      )
      .innerJoin("file_version as l", (join) =>
        join.on("l.workspaceId", "=", workspaceId).onRef("l.path", "=", "f.path").onRef("l.version", "=", "f.last"),
      )
      .leftJoin("blob as b", "b.hash", "v.blobHash")
      .select(["v.path", "v.version", "v.sizeBytes", "b.hash as keptHash"])
      .select(["l.version as lastVersion", "l.blobHash as lastHash"])
      .where("v.blobHash", "is not", null)
      .orderBy("v.path")
      .limit(limit),
  );
  return rows.map(({ keptHash, lastHash, ...row }) => ({
    ...row,
    isKept: keptHash !== null,
    isGone: lastHash === null,
  }));
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
  /** The undo that wrote it, or the taking back of one. */
  readonly undoId: string | null;
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
  const { workspaceId, path, blobHash, authorId, threadId, runId, undoId, toolCallId, spanId, step } = version;
  const [row] = await database.execute(
    build
      .updateTable("file_version")
      .set({ authorId, threadId, runId, undoId, toolCallId, spanId, step })
      .where("workspaceId", "=", workspaceId)
      .where("path", "=", path)
      .where("blobHash", "=", blobHash)
      .where("runId", "is", null)
      .where("authorId", "is", null)
      .where("version", "=", (eb) =>
        eb
          .selectFrom("file_version as l")
          .select((of) => of.fn.max("l.version").as("version"))
          .where("l.workspaceId", "=", workspaceId)
          .where("l.path", "=", path),
      )
      .returning("version"),
  );
  return row?.version ?? null;
}

/**
 * `unless-same`: not if the last version has this content; `…-by-nobody`: likewise, but only if that version has no
 * author.
 */
export type VersionCondition = "always" | "unless-same" | "unless-same-by-nobody";

type StoredVersion = NewVersion & { readonly id: string; readonly createdAt: Date };

const GIVEN = [
  ...(["id", "workspaceId", "path", "blobHash", "sizeBytes", "addedLines", "removedLines", "authorId"] as const),
  ...(["threadId", "runId", "toolCallId", "spanId", "createdAt", "step", "before", "undoId"] as const),
] as const;

function insertedVersion(condition: VersionCondition) {
  return hotStatement((value: PlaceFor<StoredVersion>) => {
    const ofFile = () =>
      build
        .selectFrom("file_version as l")
        .where("l.workspaceId", "=", value("workspaceId"))
        .where("l.path", "=", value("path"));
    const last = ofFile().select("l.blobHash").orderBy("l.version", "desc").limit(sql.lit(1));
    const lastByNobody = last
      .where("l.runId", "is", null)
      .where("l.authorId", "is", null)
      .where(
        "l.version",
        "=",
        ofFile().select((eb) => eb.fn.max("l.version").as("version")),
      );
    const compared = condition === "unless-same" ? last : lastByNobody;
    const change = build
      .selectFrom("file_version as s")
      .select(sql`coalesce(max(s."seq"), 0) + 1`.as("seq"))
      .where("s.workspaceId", "=", value("workspaceId"));
    const next = ofFile()
      .select(GIVEN.map((name) => sql`${value(name)}`.as(name)))
      .select([sql`coalesce(max(l."version"), 0) + 1`.as("version"), change.as("seq")])
      .$if(condition !== "always", (version) =>
        version.having(sql<SqlBool>`coalesce(${compared}, '') <> ${value("blobHash")}`),
      );
    return build
      .insertInto("file_version")
      .columns([...GIVEN, "version", "seq"])
      .expression(next)
      .onConflict((conflict) => conflict.doNothing())
      .returning("version");
  });
}

const INSERTED = {
  always: insertedVersion("always"),
  "unless-same": insertedVersion("unless-same"),
  "unless-same-by-nobody": insertedVersion("unless-same-by-nobody"),
} as const satisfies Record<VersionCondition, unknown>;

/**
 * The file's next version, and the next change of its workspace. Returns the version's number; null if the condition is
 * not met or another process took one of the two numbers.
 */
export async function insertFileVersion(
  database: Database,
  version: NewVersion,
  condition: VersionCondition,
): Promise<number | null> {
  const stored = { ...version, id: createId("fv"), createdAt: new Date() };
  const [row] = await database.execute(INSERTED[condition](stored));
  return row?.version ?? null;
}
