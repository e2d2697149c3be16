import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import { sandboxUid } from "@/lib/workspaces/sandbox/sandbox-uid";
import { copyTree } from "./copy-tree";
import { openWorkspace } from "./open-workspace";
import type { WorkspaceOwner } from "./workspace-row";

const MAX_FILES = 5_000;
const MAX_BYTES = 200 * 1_048_576;

/**
 * Gives a thread its own copy of the files that the backend would share with other threads, on first use. On disk,
 * links stay links and executables stay executable. Throws `conflict` if there is too much to copy while somebody
 * waits.
 */
export async function copyForThread(
  database: Database,
  backend: BackendConfig,
  owner: WorkspaceOwner & { readonly threadId: string },
): Promise<void> {
  if (backend.scope === "thread") return;
  await database.exclusive(`files of ${owner.threadId}`, async () => {
    const { agentId, ownerId, threadId } = owner;
    if ((await database.workspace.count({ where: { agentId, ownerId, threadId } })) > 0) return;
    const source = await openWorkspace(database, backend, owner);
    await copyFiles(source, () => openWorkspace(database, { ...backend, scope: "thread" }, owner));
  });
}

/** Starts a new thread with a copy of another thread's own files. */
export async function copyBetweenThreads(
  database: Database,
  backend: BackendConfig,
  { from, to, ...owner }: Omit<WorkspaceOwner, "threadId"> & { readonly from: string; readonly to: string },
): Promise<void> {
  const own = { ...backend, scope: "thread" as const };
  const source = await openWorkspace(database, own, { ...owner, threadId: from });
  await copyFiles(source, () => openWorkspace(database, own, { ...owner, threadId: to }));
}

type Opened = Awaited<ReturnType<typeof openWorkspace>>;

async function copyFiles(source: Opened, open: () => Promise<Opened>): Promise<void> {
  const files = await listFiles(source.workspace);
  const copy = await open();
  if (source.root !== null && copy.root !== null) {
    await copyTree(source.root, copy.root, sandboxUid(copy.id));
    return;
  }
  for (const path of files) {
    const { bytes } = await source.workspace.read(path, MAX_BYTES);
    await copy.workspace.write(path, bytes);
  }
}

async function listFiles(workspace: Workspace): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  let sizeBytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const prefix = folder === "" ? "" : `${folder}/`;
    const entries = await workspace.list(folder);
    folders.push(...entries.flatMap(({ name, type }) => (type === "dir" ? [`${prefix}${name}`] : [])));
    found.push(...entries.flatMap(({ name, type }) => (type === "file" ? [`${prefix}${name}`] : [])));
    sizeBytes += entries.reduce((sum, { size }) => sum + size, 0);
    if (entries.omitted || found.length > MAX_FILES || sizeBytes > MAX_BYTES) throw new AppError("conflict", TOO_MUCH);
  }
  return found;
}

const TOO_MUCH =
  "The agent's files are too many to copy: at most 5,000 with 200 MB. Delete what is not needed, or give the agent backend.scope thread.";
