import "server-only";
import path from "node:path/posix";
import { normalizePath, type Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { HandOver } from "@/lib/server/engine/children/start-child";
import { backendOf, placeOf } from "@/lib/server/file-access/run-workspace";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { Database } from "@/lib/server/platform/db/database";
import { whyNotRead } from "@/lib/server/tools/unattended-call";

type HandingRun = Parameters<HandOver>[0];

const FOLDER = "uploads";
const MAX_FILE_BYTES = 20 * 1_048_576;

/**
 * Copies files of a run with this config into `uploads/` of the agent it delegates to. A second copy of the same bytes,
 * after a crash, is the same file; in a project, whose files all agents share, nothing is copied.
 */
export function handOverFiles(database: Database, config: AgentConfig): HandOver {
  return async (parent, target, files) => {
    const from = await openOf(database, config, parent);
    if (from === null)
      throw new AppError("invalid_input", "You have no files to hand over. Write what matters into the task.");
    const { config: targetConfig } = await loadAgentVersion(database, target.versionId);
    const to = await openOf(database, targetConfig, { ...parent, agentId: target.agentId });
    if (to === null) {
      throw new AppError(
        "invalid_input",
        `The agent ${target.agentId} has no files of its own. Write what matters into the task.`,
      );
    }
    const paths = files.map((file) => normalizePath(file, config.backend?.workdir ?? "/workspace"));
    for (const file of paths) await requireReadable(config, file, parent);
    if (from.id === to.id) return paths;
    const copied: string[] = [];
    for (const file of paths) copied.push(await copy(from.workspace, to.workspace, file));
    return copied;
  };
}

async function openOf(database: Database, config: AgentConfig, run: Parameters<typeof placeOf>[1]) {
  const backend = backendOf(run, config);
  return backend === null ? null : openWorkspace(database, backend, await placeOf(database, run));
}

/** Files that the caller may not read without asking can't be passed on either. */
async function requireReadable(config: AgentConfig, file: string, run: HandingRun): Promise<void> {
  const place = { agentId: run.agentId, userId: run.ownerId, threadId: run.threadId, runId: run.id };
  if ((await whyNotRead(config, file, place)) === null) return;
  throw new AppError("forbidden", `You may not read ${file}, so it can't be handed over. Leave it out.`);
}

async function copy(from: Workspace, to: Workspace, file: string): Promise<string> {
  const { bytes, sizeBytes } = await from.read(file, MAX_FILE_BYTES);
  if (sizeBytes > MAX_FILE_BYTES) {
    throw new AppError("payload_too_large", `${file} has more than 20 MB. Hand over a smaller part of it.`);
  }
  const { name, ext } = path.parse(file);
  for (let number = 1; ; number += 1) {
    const place = `${FOLDER}/${number === 1 ? name : `${name} (${number})`}${ext}`;
    const there = await to.stat(place);
    if (there === null) {
      await to.write(place, bytes);
      return place;
    }
    if (there.type === "file" && there.size === sizeBytes && (await isSame(to, place, bytes))) return place;
  }
}

async function isSame(workspace: Workspace, file: string, bytes: Uint8Array): Promise<boolean> {
  const known = await workspace.read(file, bytes.length + 1);
  return Buffer.from(known.bytes).equals(bytes);
}
