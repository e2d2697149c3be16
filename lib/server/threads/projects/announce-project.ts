import "server-only";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { database } from "@/lib/server/platform/db/database";

/** Makes the open pages of its members, and of a former member, reload the project and its threads. */
export async function announceProject(projectId: string | null, formerMemberId?: string): Promise<void> {
  if (projectId === null) return;
  const members = await database().projectMember.findMany({ where: { projectId }, select: { userId: true } });
  const userIds = new Set(members.map(({ userId }) => userId));
  if (formerMemberId !== undefined) userIds.add(formerMemberId);
  for (const userId of userIds) announceToUser(userId, { type: "project.changed", projectId });
}
