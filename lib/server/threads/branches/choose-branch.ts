import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Reader } from "@/lib/schema/users/user";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { loadBranchTree } from "./branch-summary";

/**
 * Selects the newest branch with this message, for every page of the thread and for the next message. Open runs
 * continue.
 */
export async function chooseBranch(
  database: Database,
  threadId: string,
  viewer: Reader,
  messageId: string,
): Promise<void> {
  await requireWritableThread(database, threadId, viewer);
  const tree = await loadBranchTree(database, threadId);
  const run = tree.runOf(messageId);
  if (!run) throw new AppError("not_found", "Message not found.");
  await database.thread.update({ where: { id: threadId }, data: { leafRunId: tree.newestLeaf(run).id } });
  announceToUser(viewer.id, { type: "thread.changed", threadId });
}
