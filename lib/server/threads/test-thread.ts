import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { InputMessage } from "@/lib/schema/messages/message";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { requireTestVersion } from "@/lib/server/agents/drafts/test-version";
import { RunInput } from "@/lib/server/engine/run-input";
import { copyForThread } from "@/lib/server/files/copy-workspace";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { runNotFound } from "@/lib/server/views/get-run";

interface TestThread {
  readonly id: string;
  readonly agentId: string;
  readonly isTest: boolean;
}

/** The version used by the next run of a test thread instead of the published one; empty for other threads. */
export async function testOptions(
  services: Services,
  { id: threadId, agentId, isTest }: TestThread,
  viewer: Pick<Viewer, "id" | "scopes">,
): Promise<{ readonly versionId?: string; readonly draftRevision?: number }> {
  if (!isTest) return {};
  requireTester(viewer);
  const { config, versionId, draftRevision } = await requireTestVersion(services, agentId);
  if (config.backend) await copyForThread(services.database, config.backend, { agentId, ownerId: viewer.id, threadId });
  return { versionId, draftRevision };
}

/** Throws `forbidden` for non-admins: a draft may allow more than the published version. */
export function requireTester(viewer: Pick<Viewer, "scopes">): void {
  if (hasAdminScope(viewer)) return;
  throw new AppError("forbidden", 'Trying a draft needs the scope "admin", which your role or key does not have.');
}

const MAX_CONTINUED = 100;

/** The input of a run, or of the run it continues. Throws `not_found`, and `conflict` for another agent's run. */
export async function inputOfRun(database: Database, runId: string, agentId: string): Promise<InputMessage[]> {
  let id: string | null = runId;
  for (let left = MAX_CONTINUED; id !== null && left > 0; left -= 1) {
    const run: { agentId: string; input: string; continuesRunId: string | null } | null = await database.run.findUnique(
      { where: { id }, select: { agentId: true, input: true, continuesRunId: true } },
    );
    if (!run) throw runNotFound();
    if (run.agentId !== agentId) throw new AppError("conflict", `That run is not one of the agent "${agentId}".`);
    const messages = RunInput.parse(JSON.parse(run.input)).messages.flatMap((message): InputMessage[] =>
      message.role === "user" || message.role === "system" ? [{ role: message.role, content: message.content }] : [],
    );
    if (messages.some(({ role }) => role === "user")) return messages;
    id = run.continuesRunId;
  }
  throw new AppError("conflict", "What this run was asked is no longer recorded. Send a message instead.");
}
