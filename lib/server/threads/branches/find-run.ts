import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import type { TreeRun } from "@/lib/server/platform/db/queries/paths";
import { loadBranchTree } from "./branch-summary";
import type { BranchTree } from "./branch-tree";

/** The run that a message of the thread started or answers. Throws `conflict` for a copied message, and `not_found`. */
export async function findRun(
  database: Database,
  threadId: string,
  messageId: string,
): Promise<{ tree: BranchTree; run: TreeRun }> {
  const tree = await loadBranchTree(database, threadId);
  const run = tree.runOf(messageId);
  if (run) return { tree, run };
  const copied = await database.transcriptMessage.count({ where: { id: messageId, threadId } });
  if (copied === 0) throw new AppError("not_found", "Message not found.");
  const message = "This message was copied from another thread. Fork from it, or send a new one.";
  throw new AppError("conflict", message);
}
