import { z } from "zod";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PromptFile } from "@/lib/schema/agents/prompt";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import type { AgentAccess } from "@/lib/server/platform/db/queries/agent-access";
import { selectCurrentVersionId } from "@/lib/server/platform/db/queries/agents";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** One immutable version of an agent: published, or the draft as a run used it. */
export interface AgentVersion {
  readonly id: string;
  readonly agentId: string;
  /** Null for a draft as a run used it. */
  readonly number: number | null;
  readonly config: AgentConfig;
  /** The agent's own prompt files (D-64). */
  readonly promptFiles: readonly PromptFile[];
}

const MAX_CACHED = 500;

/** Parsed configs by version id: a version never changes, so an entry is never stale (D-63). */
const cache = processState("agent-versions", () => new Map<string, AgentVersion>());

/** The version a run refers to, with its config parsed. Throws `not_found`, and `internal` if it can't be read. */
export async function loadAgentVersion(database: Database, versionId: string): Promise<AgentVersion> {
  const cached = cache.get(versionId);
  if (cached) return cached;
  const row = await database.agentVersion.findUnique({ where: { id: versionId }, include: { files: true } });
  if (!row) throw new AppError("not_found", "This version of the agent does not exist.");
  const config = readConfig(row);
  const promptFiles = z.array(PromptFile).parse(row.files);
  const version = { id: row.id, agentId: row.agentId, number: row.number, config, promptFiles };
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
  cache.set(versionId, version);
  return version;
}

/** For lists of agents: one whose version is gone or can't be read must not hide the others. */
export async function loadVersionOrNull(database: Database, versionId: string): Promise<AgentVersion | null> {
  try {
    return await loadAgentVersion(database, versionId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    logger().error({ err: error, agentVersionId: versionId }, "an agent is left out of a list");
    return null;
  }
}

function readConfig({ id, config }: { readonly id: string; readonly config: string }): AgentConfig {
  try {
    return AgentConfig.parse(JSON.parse(config));
  } catch (error) {
    logger().error({ err: error, agentVersionId: id }, "a version of an agent can't be read");
    throw new AppError("internal", "What the database holds of this version of the agent can't be read.");
  }
}

/**
 * The published version that new runs of the agent use. Throws `not_found` for an unknown or deleted agent, with the
 * same message as for an agent limited to groups that the caller is not in.
 */
export async function loadCurrentVersion(
  database: Database,
  agentId: string,
  access: AgentAccess,
): Promise<AgentVersion> {
  const versionId = await selectCurrentVersionId(database, agentId, access);
  if (versionId === null) throw new AppError("not_found", `There is no agent "${agentId}".`);
  return loadAgentVersion(database, versionId);
}
