import "server-only";
import { createHash } from "node:crypto";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { normalizePath, type Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { backendOf, placeOf } from "@/lib/server/file-access/run-workspace";
import { createFileHistory } from "@/lib/server/files/file-history";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { WorkspaceOwner } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";

/** The files that a run worked on, opened for a person's changes. */
export interface FilesOfRun {
  readonly id: string;
  readonly workspace: Workspace;
  readonly owner: WorkspaceOwner & { readonly threadId: string };
  readonly memoryPaths: readonly string[];
}

/** Null if the run's agent has no files. Throws `unavailable` if they are on another machine. */
export async function openFilesOfRun(database: Database, run: ClaimedRun): Promise<FilesOfRun | null> {
  const { config } = await loadAgentVersion(database, run.agentVersionId);
  const backend = backendOf(run, config);
  if (backend === null) return null;
  const owner = await placeOf(database, run);
  const { id, workspace } = await openWorkspace(database, backend, owner);
  return { id, workspace, owner, memoryPaths: memoryPathsOf(config, backend.workdir) };
}

function memoryPathsOf({ memory }: AgentConfig, workdir: string): string[] {
  return memory.paths.map((path) => normalizePath(path, workdir));
}

export function isMemory({ memoryPaths }: Pick<FilesOfRun, "memoryPaths">, path: string): boolean {
  return memoryKind(path, memoryPaths) !== null;
}

/** Keeps versions by the person who undoes, or takes that back. */
export function historyOfUndo(database: Database, files: FilesOfRun, by: { actorId: string; undoId: string }) {
  const { id: workspaceId, owner, memoryPaths } = files;
  const { agentId, threadId } = owner;
  return createFileHistory(database, {
    workspaceId,
    agentId,
    threadId,
    ownerId: by.actorId,
    runId: null,
    undoId: by.undoId,
    memoryPaths,
  });
}

/** A file larger than this has no version that could come back. */
const MAX_BYTES = 64 * 1_048_576;

/** Null if there is no file. Throws `conflict` for something else at the path, and for what is too large. */
export async function contentNow({ workspace }: Pick<FilesOfRun, "workspace">, path: string) {
  const entry = await workspace.stat(path);
  if (entry === null) return null;
  if (entry.type !== "file") throw new AppError("conflict", `${path} is no longer a file, so nothing can be undone.`);
  const { bytes, sizeBytes } = await workspace.read(path, MAX_BYTES);
  if (sizeBytes > bytes.byteLength) throw new AppError("conflict", `${path} is too large to be undone.`);
  return bytes;
}

export function hashOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : createHash("sha256").update(bytes).digest("hex");
}
