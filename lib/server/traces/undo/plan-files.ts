import "server-only";
import { posix } from "node:path";
import { AppError } from "@/lib/schema/app-error";
import type { UndoFile } from "@/lib/schema/traces/undo";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { ABSENT, UNKNOWN } from "@/lib/server/files/insert-version";
import type { Database } from "@/lib/server/platform/db/database";
import { contentNow, type FilesOfRun, hashOf, isMemory, openFilesOfRun } from "./run-files-of-tree";
import type { UndoReach } from "./swept-versions";
import type { FileTarget } from "./undo-targets";

type VersionRow = NonNullable<Awaited<ReturnType<Database["fileVersion"]["findFirst"]>>>;

/** A file that the run or its subagents changed, and what undoing it would do. */
export interface PlannedFile extends UndoFile {
  readonly workspaceId: string;
  readonly isMemory: boolean;
  /** Null where the file is left as it is. */
  readonly target: FileTarget | null;
}

/**
 * What undoing the tree would do to each of its files in reach, by workspace and path; unchanged files are left out, and
 * memory where the reach has limits. Throws `conflict` if an earlier text that is needed was cleaned up, or the files are
 * no longer where they were.
 */
export async function planFiles(
  database: Database,
  tree: readonly ClaimedRun[],
  reach: UndoReach,
): Promise<PlannedFile[]> {
  const ids = new Set(tree.map(({ id }) => id));
  const rows = await database.fileVersion.findMany({
    // Templates that a run copied for a new user have no call.
    where: {
      ...{ runId: { in: [...ids] }, toolCallId: { not: null } },
      ...(reach === null ? {} : { workspaceId: { in: [...reach] } }),
    },
    orderBy: [{ workspaceId: "asc" }, { path: "asc" }, { version: "asc" }],
  });
  const planned: PlannedFile[] = [];
  const opened = new Map<string, FilesOfRun>();
  for (const own of Map.groupBy(rows, ({ workspaceId, path }) => `${workspaceId} ${path}`).values()) {
    const [first] = own;
    if (!first) continue;
    const run = tree.find(({ id }) => id === first.runId);
    if (!run) continue;
    const files = opened.get(first.workspaceId) ?? (await open(database, run, first.workspaceId));
    opened.set(first.workspaceId, files);
    if (reach !== null && isMemory(files, first.path)) continue;
    const file = await planFile(database, { own, ids, files, run });
    if (file !== null) planned.push({ ...file, ...(run.agentId === tree[0]?.agentId ? {} : { agentId: run.agentId }) });
  }
  return planned;
}

async function open(database: Database, run: ClaimedRun, workspaceId: string): Promise<FilesOfRun> {
  const files = await openFilesOfRun(database, run);
  if (files?.id === workspaceId) return files;
  throw new AppError("conflict", "The run’s files are no longer where they were, so nothing can be undone.");
}

interface OwnVersions {
  /** The versions by the tree, oldest first. */
  readonly own: readonly VersionRow[];
  readonly ids: ReadonlySet<string>;
  readonly files: FilesOfRun;
  readonly run: ClaimedRun;
}

type Planned = Omit<PlannedFile, "agentId">;

/** Null if there is nothing to undo. */
async function planFile(database: Database, versions: OwnVersions): Promise<Planned | null> {
  const { own, files, run } = versions;
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last) return null;
  const { workspaceId, path } = first;
  const base = { path, workspaceId, isMemory: isMemory(files, path) };
  if (first.before === null || first.before === UNKNOWN) {
    return { ...base, action: "leave", reason: "its earlier text was not kept", target: null };
  }
  const before = first.before === ABSENT ? null : first.before;
  const now = hashOf(await contentNow(files, path));
  if (now === before) return null;
  if (before !== null) await requireKept(database, first, before);
  const isAsLeft = now === last.blobHash && !(await changedByOthers(database, versions));
  if (!isAsLeft) return { ...base, action: "keep_both", ...(await keptBoth(versions, { before, now })) };
  const action = before === null ? "delete" : "restore";
  const reason = before === null ? "made in this run, unchanged since" : await earlierVersion(database, first, before);
  return { ...base, action, reason, target: { workspaceId, runId: run.id, path, from: now, to: before, action } };
}

type BothTexts = Readonly<Record<"before" | "now", string | null>>;

/** Somebody else's work is in the file by now: it stays, and the text of before the run is put beside it. */
async function keptBoth(
  { own: [first], files, run }: OwnVersions,
  { before, now }: BothTexts,
): Promise<Pick<Planned, "reason" | "target">> {
  if (!first || before === null) return { reason: STAYS, target: null };
  const path = await freeName(files, first.path);
  const reason = `${now === null ? "deleted" : "changed"} since; the text of before goes to ${posix.basename(path)}`;
  const { workspaceId } = first;
  const target = { workspaceId, runId: run.id, path, from: null, to: before, action: "keep_both" as const };
  return { reason, target };
}

const STAYS = "the run made it and it was changed since; it stays";

/** Whether somebody else changed the file between two changes of the tree. */
async function changedByOthers(database: Database, { own, ids }: Pick<OwnVersions, "own" | "ids">): Promise<boolean> {
  const [first] = own;
  const last = own.at(-1);
  if (!first || !last || last.version - first.version === own.length - 1) return false;
  const between = await database.fileVersion.findMany({
    where: {
      workspaceId: first.workspaceId,
      path: first.path,
      version: { gt: first.version, lt: last.version },
      undoId: null,
    },
    select: { runId: true },
  });
  return between.some(({ runId }) => runId === null || !ids.has(runId));
}

async function requireKept(database: Database, { workspaceId, path, version }: VersionRow, hash: string) {
  if ((await database.blob.count({ where: { hash } })) > 0) return;
  const known = await versionWith(database, { workspaceId, path, version }, hash);
  const which = known === null ? "the text of before the run" : `version ${known}`;
  throw new AppError("conflict", `${path}: ${which} was cleaned up, so nothing can be undone.`);
}

type Place = Pick<VersionRow, "workspaceId" | "path" | "version">;

async function earlierVersion(database: Database, place: Place, hash: string): Promise<string> {
  const known = await versionWith(database, place, hash);
  return known === null ? "to the text of before the run" : `to version ${known}`;
}

/** The last version before `version` that has this content; null if none is left. */
async function versionWith(database: Database, { workspaceId, path, version }: Place, hash: string) {
  const known = await database.fileVersion.findFirst({
    where: { workspaceId, path, blobHash: hash, version: { lt: version } },
    orderBy: { version: "desc" },
    select: { version: true },
  });
  return known?.version ?? null;
}

/** `<name> (before undo)<ext>`, with a number if that is taken. */
async function freeName({ workspace }: FilesOfRun, path: string): Promise<string> {
  const { dir, name, ext } = posix.parse(path);
  for (let number = 1; ; number += 1) {
    const free = posix.join(dir, `${name} (before undo${number === 1 ? "" : ` ${number}`})${ext}`);
    if ((await workspace.stat(free)) === null) return free;
  }
}
