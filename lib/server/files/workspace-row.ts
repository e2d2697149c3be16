import { createHash } from "node:crypto";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { SharedError } from "@/lib/schema/shared-error";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";

/** Identifies the owner of files: an agent's, for a user, in a thread (its row's id), in a project. */
export interface WorkspaceOwner {
  readonly agentId: string;
  readonly ownerId: string;
  readonly threadId: string | null;
  readonly projectId?: string | null;
  /** The board whose members share the files. */
  readonly boardId?: string | null;
}

/** One set of files. `folder` is its path below the data directory if the files are on disk. */
export interface WorkspacePlace {
  readonly id: string;
  readonly folder: string;
  /** How a project's files are stored, regardless of its agents' backends. */
  readonly kind: string | null;
  /** The undo of a run that writes here now. */
  readonly undoId: string | null;
}

type Scope = BackendConfig["scope"];

/**
 * The workspace of this scope (D-28), created on first use; for a project, the first use decides how its files are
 * stored. The caller checks who may use it.
 */
export async function requireWorkspace(
  database: Database,
  scope: Scope,
  owner: WorkspaceOwner,
  firstKind: "local" | "state" = "local",
): Promise<WorkspacePlace> {
  const { agentId, ownerId, threadId, projectId } = narrow(scope, owner);
  const boardId = scope === "project" ? (owner.boardId ?? null) : null;
  const shared = sharedPlace(projectId, boardId);
  const scopeKey = shared?.key ?? [agentId, ownerId ?? "", threadId ?? ""].join("/");
  const { id, kind, undoId } = await database.workspace.upsert({
    where: { scopeKey },
    create: {
      id: createId("ws"),
      agentId,
      ownerId,
      threadId,
      scopeKey,
      ...(shared === null ? {} : { projectId, kind: firstKind }),
    },
    // With an empty update, Prisma reads first and then inserts, so two first runs on Postgres collide.
    update: { scopeKey },
    select: { id: true, kind: true, undoId: true },
  });
  if (boardId !== null) await requireBoardOf(database, boardId, scopeKey);
  if (shared !== null) return { id, kind, undoId, folder: shared.folder };
  return {
    id,
    kind,
    undoId,
    folder: folderOf([`by-${scope === "project" ? "user" : scope}`, agentId, ownerId, threadId]),
  };
}

/** The board whose files were to be opened has been deleted. */
export class BoardIsGone extends SharedError {
  static override readonly kind = "BoardIsGone";
}

/** A board takes its files along; whoever opens them in that moment must not leave a row behind. */
async function requireBoardOf(database: Database, boardId: string, scopeKey: string): Promise<void> {
  if ((await database.board.count({ where: { id: boardId } })) > 0) return;
  await database.workspace.deleteMany({ where: { scopeKey } });
  throw new BoardIsGone("The board has been deleted.");
}

/** No agent's key starts like this: those have two slashes. */
const PROJECT_KEY = "project/";

/** The key of the files that the members of a board share. */
export function boardFilesKey(boardId: string): string {
  return `board/${boardId}`;
}

/** The folder of a board's files, which may not exist. */
export function boardFolder(boardId: string): string {
  return folderOf(["by-board", boardId]);
}

function sharedPlace(projectId: string | null, boardId: string | null) {
  if (projectId !== null) return { key: `${PROJECT_KEY}${projectId}`, folder: projectFolder(projectId) };
  return boardId === null ? null : { key: boardFilesKey(boardId), folder: boardFolder(boardId) };
}

/** The folder of a project's files, which may not exist. */
export function projectFolder(projectId: string): string {
  return folderOf(["by-project", projectId]);
}

/** The folder of the files that only this thread has, which may not exist. */
export function threadFolder({ agentId, ownerId, threadId }: WorkspaceOwner): string {
  return folderOf(["by-thread", agentId, ownerId, threadId]);
}

/** The folders of the files that only this person has with an agent, which may not exist. */
export function ownerFolders({ agentId, ownerId }: Pick<WorkspaceOwner, "agentId" | "ownerId">): string[] {
  return ["by-user", "by-thread"].map((scope) => folderOf([scope, agentId, ownerId]));
}

function folderOf(parts: readonly (string | null)[]): string {
  return parts
    .flatMap((part) => part ?? [])
    .map(folderName)
    .join("/");
}

function narrow(scope: Scope, { agentId, ownerId, threadId, projectId = null, boardId = null }: WorkspaceOwner) {
  switch (scope) {
    case "project":
      if (boardId !== null) return { agentId: "", ownerId, threadId: null, projectId: null };
      if (projectId === null) return { agentId, ownerId, threadId: null, projectId };
      return { agentId: "", ownerId: null, threadId: null, projectId };
    case "agent":
      return { agentId, ownerId: null, threadId: null, projectId: null };
    case "user":
      return { agentId, ownerId, threadId: null, projectId: null };
    default:
      if (threadId === null) throw new Error("A workspace per thread needs the thread.");
      return { agentId, ownerId, threadId, projectId: null };
  }
}

/** The id as a folder name: special characters are replaced, and a hash keeps such names distinct. */
function folderName(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id)) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 16);
  return `${id.replaceAll(/[^A-Za-z0-9]/g, "_").slice(0, 60)}-${hash}`;
}
