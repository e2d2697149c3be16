import "server-only";
import type { RunFiles } from "@/lib/schema/files/workspace-file";
import type { Reader } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { agentNames } from "@/lib/server/threads/thread-row";
import { requireReadableRun } from "@/lib/server/views/get-run";
import { listChanges, ofAgentOrProject } from "./file-versions";

/**
 * The files written by the calls of one run, and the thread that can open them: a subagent that uses another agent has
 * its own workspace. Someone else's run is `not_found`.
 */
export async function listRunFiles(database: Database, runId: string, viewer: Reader): Promise<RunFiles> {
  await requireReadableRun(database, runId, viewer);
  const { agentId, thread } = await database.run.findUniqueOrThrow({
    where: { id: runId },
    select: { agentId: true, thread: { select: { id: true, parentThreadId: true } } },
  });
  const root = await database.thread.findUnique({
    where: { id: thread.parentThreadId ?? thread.id },
    select: { id: true, agentId: true },
  });
  const isShared = root?.agentId === agentId;
  const names = await agentNames(database, [agentId]);
  return {
    threadId: isShared ? root.id : thread.id,
    isShared,
    agentName: names.get(agentId) ?? agentId,
    files: await listChanges(database, { runId, workspace: ofAgentOrProject(agentId) }),
  };
}
