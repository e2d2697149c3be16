import "server-only";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { AppError } from "@/lib/schema/app-error";
import type { HeartbeatFile } from "@/lib/schema/triggers/heartbeat";
import type { Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { HEARTBEAT_FILE, hasTasks } from "@/lib/server/triggers/heartbeat/heartbeat-file";
import { requireOwn } from "@/lib/server/triggers/heartbeat/manage-heartbeats";
import { threadOf } from "@/lib/server/triggers/heartbeat/precheck-heartbeat";
import { openAgentFiles, openThreadFiles, readText, type UserFiles, writeBytes } from "./user-files";

/** What the heartbeat will read at its next beat. Throws `not_found`, `forbidden`. */
export async function readHeartbeatFile(services: Services, id: string, viewer: Viewer): Promise<HeartbeatFile> {
  const { files, own } = await openFiles(services, id, viewer);
  const found = files && (await readExisting(files));
  const content = found ?? own;
  return {
    content,
    place: found !== null ? "workspace" : own === "" ? "none" : "agent",
    version: files && (await versionOf(services.database, files)),
    hasTasks: hasTasks(content),
    canEdit: files !== null,
  };
}

/** Saves the file as a new version, like every change of a file. Throws `not_found`, `forbidden`, `conflict`. */
export async function writeHeartbeatFile(
  services: Services,
  id: string,
  { content, before }: { readonly content: string; readonly before: string },
  viewer: Viewer,
): Promise<HeartbeatFile> {
  const { files, own } = await openFiles(services, id, viewer);
  if (files === null) throw new AppError("conflict", NO_FILES);
  if (((await readExisting(files)) ?? own) !== before) throw new AppError("conflict", CHANGED);
  await writeBytes(services, files, HEARTBEAT_FILE, new TextEncoder().encode(content));
  return readHeartbeatFile(services, id, viewer);
}

const NO_FILES =
  "This agent has no workspace for the person's own file, or each of its threads has its own and there is none yet. Let it beat once, or give the agent a backend.";
const CHANGED = "HEARTBEAT.md has changed since you opened it. Copy your text, reload, and change it again.";

/** `files` is null if the agent has none, or has them per thread and the heartbeat has not run yet. */
async function openFiles(
  services: Services,
  id: string,
  viewer: Viewer,
): Promise<{ files: UserFiles | null; own: string }> {
  const { agentId } = await requireOwn(services, id, viewer);
  const { config, promptFiles } = await loadCurrentVersion(services.database, agentId, accessOfOwner(viewer.id));
  const own = promptFiles.find(({ name }) => name === HEARTBEAT_FILE)?.content ?? "";
  if (config.backend === null) return { files: null, own };
  if (config.backend.scope !== "thread") return { files: await openAgentFiles(services, agentId, viewer, {}), own };
  const threadId = await threadOf(services.database, { id, ownerId: viewer.id, agentId });
  return { files: threadId === null ? null : await openThreadFiles(services, threadId, viewer, "write"), own };
}

async function readExisting(files: UserFiles): Promise<string | null> {
  try {
    return (await readText(files, HEARTBEAT_FILE)).content;
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return null;
    throw error;
  }
}

async function versionOf(database: Database, { workspaceId }: UserFiles): Promise<number | null> {
  const { _max } = await database.fileVersion.aggregate({
    where: { workspaceId, path: HEARTBEAT_FILE },
    _max: { version: true },
  });
  return _max.version;
}
