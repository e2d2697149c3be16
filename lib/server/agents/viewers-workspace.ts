import "server-only";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { database } from "@/lib/server/platform/db/database";
import { withInstalledSkills } from "@/lib/server/skills/open-skill-library";
import { emptyWorkspace } from "./assemble-agent";

/**
 * The files that a person's next run with the agent would have; null without a backend. Before there is a thread, a
 * thread's own files are empty.
 */
export async function viewersWorkspace(
  agentId: string,
  config: AgentConfig,
  ownerId: string,
): Promise<Workspace | null> {
  const { backend } = config;
  if (backend === null) return null;
  const owner = { agentId, ownerId, threadId: null };
  const isThreads = backend.scope === "thread";
  const own = isThreads ? await emptyWorkspace(config) : (await openWorkspace(database(), backend, owner)).workspace;
  return own && withInstalledSkills(database(), lookedAt(own), config);
}

/** Hooks that only describe a run create no folders. */
function lookedAt({ makeFolder: _, ...workspace }: Workspace): Workspace {
  return workspace;
}
