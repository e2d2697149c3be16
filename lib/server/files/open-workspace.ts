import path from "node:path";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { createLocalWorkspace } from "@/lib/workspaces/local/local-workspace";
import { probeLocalFiles } from "@/lib/workspaces/local/probe-local-files";
import { createStateWorkspace } from "@/lib/workspaces/state-workspace";
import { backendProbe } from "./sandbox-probe";
import { createStateFileStore } from "./state-file-store";
import { requireHere } from "./workspace-location";
import { requireWorkspace, type WorkspaceOwner } from "./workspace-row";

/** A workspace with the row that its file versions belong to. */
export interface OpenWorkspace {
  readonly id: string;
  readonly workspace: Workspace;
  /** Its folder on this machine; null if its files are rows. */
  readonly root: string | null;
  /** The undo of a run that writes here now. */
  readonly undoId: string | null;
}

/**
 * The workspace that an agent's `backend` assigns to this owner. Two users never share one unless the scope is `agent`.
 * A project's files keep their first kind of storage, even for agents with the other kind. The caller has checked that
 * the requester is the owner. If local files don't work (not Linux), `local` is stored in rows too, without commands;
 * the sandbox's status reports it.
 */
export async function openWorkspace(
  database: Database,
  backend: BackendConfig,
  owner: WorkspaceOwner,
): Promise<OpenWorkspace> {
  const isLocal = backend.type !== "state" && (await probeLocalFiles()).available;
  const { id, folder, kind, undoId } = await requireWorkspace(
    database,
    backend.scope,
    owner,
    isLocal ? "local" : "state",
  );
  if (kind === null ? !isLocal : kind === "state")
    return { id, root: null, undoId, workspace: createStateWorkspace(createStateFileStore(database, id)) };
  await requireHere(database, id);
  const root = path.join(env().dataDirectory, "workspaces", folder);
  makeDataDirectory(path.dirname(root));
  const sandbox = await backendProbe(backend);
  const { workdir, image, network, memory_mb: memoryMb } = backend;
  const workspace = createLocalWorkspace({ root, key: id, sandbox, workdir, image, network, memoryMb });
  // An agent that stores its files in rows runs no commands in a project's folder either.
  return { id, root, undoId, workspace: isLocal ? workspace : withoutCommands(workspace) };
}

function withoutCommands({ execute: _, ...workspace }: Workspace): Workspace {
  return workspace;
}
