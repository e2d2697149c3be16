import "server-only";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { WorkspaceOwner } from "@/lib/server/files/workspace-row";
import type { Services } from "@/lib/server/platform/services";
import { withInstalledSkills } from "@/lib/server/skills/open-skill-library";
import { emptyWorkspace } from "./assemble-agent";

/**
 * The files that a person's next run with the agent would have, in one of their threads or in a new one; null without a
 * backend. Before the thread exists, its own files are empty, and files held by another process are omitted.
 */
export async function viewersWorkspace(
  services: Services,
  config: AgentConfig,
  owner: WorkspaceOwner,
): Promise<Workspace | null> {
  const { backend } = config;
  if (backend === null) return null;
  const isThreads = backend.scope === "thread" && owner.threadId === null;
  const own = isThreads ? null : await openWorkspace(services.database, backend, owner).catch(unlessElsewhere);
  const found = own?.workspace ?? (await emptyWorkspace(config));
  return found && withInstalledSkills(services, lookedAt(found), config);
}

function unlessElsewhere(error: unknown): null {
  if (error instanceof AppError && error.code === "unavailable") return null;
  throw error;
}

/** Removes `makeFolder`, because hooks that only describe a run create no folders. */
function lookedAt({ makeFolder: _, ...workspace }: Workspace): Workspace {
  return workspace;
}
