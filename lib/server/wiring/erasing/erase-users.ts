import "server-only";
import { rm } from "node:fs/promises";
import path from "node:path";
import { eraseEntriesAbout } from "@/lib/server/audit/audit-chain";
import { cancelOpenRuns } from "@/lib/server/engine/ending/cancel";
import { boardFolder, ownerFolders } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { purgeTracesOfOwner, purgeWorkspacesOfOwner } from "@/lib/server/platform/db/queries/retention/purge";
import { logger } from "@/lib/server/platform/logger";
import { eraseNameInLines } from "@/lib/server/traces/undo/thread-line";
import { purgeDeletedThreads } from "@/lib/server/wiring/housekeeping";
import { eraseMessagesInOthersThreads } from "./erase-messages";

interface Means {
  readonly pace: Pace;
  readonly dataDirectory: string;
  readonly isOver: () => boolean;
}

/** Deletes the remaining data of erased people; open runs are stopped, and their data is deleted the next time. */
export async function eraseUsers(database: Database, means: Means): Promise<void> {
  const where = { erasedAt: { not: null }, erasureEndAt: null };
  const users = await database.user.findMany({ where, select: { id: true, email: true } });
  for (const { id, email } of users) {
    if (means.isOver()) return;
    await eraseDataOf(database, { id, email }, means);
  }
}

async function eraseDataOf(
  database: Database,
  { id, email }: { readonly id: string; readonly email: string },
  { pace, dataDirectory, isOver }: Means,
): Promise<void> {
  await cancelOpenRuns(database, { ownerId: id }, id);
  const webhooks = await database.trigger.findMany({ where: { ownerId: id, kind: "webhook" }, select: { id: true } });
  await database.webhookSecret.deleteMany({ where: { webhookId: { in: webhooks.map((hook) => hook.id) } } });
  await database.trigger.deleteMany({ where: { ownerId: id } });
  await database.channelLink.deleteMany({ where: { userId: id } });
  await database.channelCode.deleteMany({ where: { userId: id } });
  await database.channelMessage.deleteMany({ where: { userId: id } });
  await database.delivery.deleteMany({ where: { ownerId: id } });
  await database.inboxNote.deleteMany({ where: { userId: id } });
  const now = new Date();
  await database.thread.updateMany({ where: { ownerId: id, deletedAt: null }, data: { deletedAt: now } });
  await purgeDeletedThreads(
    database,
    { deletedBefore: new Date(now.getTime() + 1), ownerId: id },
    { pace, dataDirectory },
  );
  if (isOver() || (await database.thread.count({ where: { ownerId: id } })) > 0) return;
  if (!(await eraseMessagesInOthersThreads(database, id, pace))) return;
  await eraseNameInLines(database, id);
  await purgeTracesOfOwner(database, id, pace);
  const agents = await database.workspace.findMany({
    where: { ownerId: id },
    distinct: ["agentId"],
    select: { agentId: true },
  });
  for (const { agentId } of agents) {
    for (const folder of ownerFolders({ agentId, ownerId: id })) {
      await rm(path.join(dataDirectory, "workspaces", folder), { recursive: true, force: true });
    }
  }
  await purgeWorkspacesOfOwner(database, id, pace);
  for (const board of await database.board.findMany({ where: { ownerId: id }, select: { id: true } })) {
    await rm(path.join(dataDirectory, "workspaces", boardFolder(board.id)), { recursive: true, force: true });
    // Another process may be erasing as well.
    await database.board.deleteMany({ where: { id: board.id } });
  }
  await eraseEntriesAbout(database, { userId: id, email });
  if (isOver()) return;
  await database.user.update({ where: { id }, data: { erasureEndAt: new Date() } });
  logger().info({ userId: id }, "a user was erased");
}
