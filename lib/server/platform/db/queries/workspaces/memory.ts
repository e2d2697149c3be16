import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";

/** The last version of a file that may be a memory document. */
export interface LastDocumentVersion {
  readonly workspaceId: string;
  readonly path: string;
  readonly version: number;
  readonly blobHash: string;
  readonly authorId: string | null;
  readonly runId: string | null;
  readonly toolCallId: string | null;
  readonly createdAt: string;
}

interface DocumentPage {
  readonly workspaceIds: readonly string[];
  /** Names that may be documents; daily notes are found in addition. */
  readonly paths: readonly string[];
  /** Only daily notes of this month (`202611`). */
  readonly month?: string;
  readonly after?: { readonly workspaceId: string; readonly path: string };
  readonly limit: number;
}

/** The existing files of these workspaces with such a name, by workspace and path. */
export function selectDocuments(
  { dialect, execute }: Database,
  { workspaceIds, paths, month, after, limit }: DocumentPage,
): Promise<LastDocumentVersion[]> {
  const ids = workspaceIds.map((id) => ({ id }));
  const workspaces = build.selectFrom(jsonRows(dialect, { id: "text" }, ids).as("w")).select("w.id");
  const names = paths.map((path) => ({ path }));
  const named = build.selectFrom(jsonRows(dialect, { path: "text" }, names).as("n")).select("n.path");
  const all = build
    .selectFrom("file_version as f")
    .select((eb) => ["f.workspaceId", "f.path", eb.fn.max("f.version").as("version")])
    .where("f.workspaceId", "in", workspaces.$castTo<{ id: string }>())
    .where((eb) =>
      eb.or([
        eb("f.path", "like", `memory/${month ?? "______"}/________.md`),
        eb("f.path", "in", named.$castTo<{ path: string }>()),
      ]),
    )
    .groupBy(["f.workspaceId", "f.path"]);
  const page = after
    ? all.where((eb) =>
        eb.or([
          eb("f.workspaceId", ">", after.workspaceId),
          eb.and([eb("f.workspaceId", "=", after.workspaceId), eb("f.path", ">", after.path)]),
        ]),
      )
    : all;
  return execute(
    build
      .selectFrom(page.as("latest"))
      .innerJoin("file_version as v", (join) =>
        join
          .onRef("v.workspaceId", "=", "latest.workspaceId")
          .onRef("v.path", "=", "latest.path")
          .onRef("v.version", "=", "latest.version"),
      )
      .select(["v.workspaceId", "v.path", "v.version", "v.authorId", "v.runId", "v.toolCallId", "v.createdAt"])
      .select((eb) => eb.ref("v.blobHash").$notNull().as("blobHash"))
      .where("v.blobHash", "is not", null)
      .orderBy("v.workspaceId")
      .orderBy("v.path")
      .limit(limit),
  );
}

interface BlobText {
  readonly hash: string;
  readonly content: Uint8Array;
}

/** The contents of these blobs, unordered. */
export function selectBlobs({ dialect, execute }: Database, hashes: readonly string[]): Promise<BlobText[]> {
  const wanted = hashes.map((hash) => ({ hash }));
  return execute(
    build
      .selectFrom("blob as b")
      .innerJoin(jsonRows(dialect, { hash: "text" }, wanted).as("w"), "w.hash", "b.hash")
      .select(["b.hash", "b.content"]),
  );
}
