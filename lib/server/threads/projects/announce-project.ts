import "server-only";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { Services } from "@/lib/server/platform/services";

/** Makes the open pages of its members, and of a former member, reload the project and its threads. */
export async function announceProject(
  services: Services,
  projectId: string | null,
  formerMemberId?: string,
): Promise<void> {
  if (projectId === null) return;
  const members = await services.database.projectMember.findMany({ where: { projectId }, select: { userId: true } });
  const userIds = new Set(members.map(({ userId }) => userId));
  if (formerMemberId !== undefined) userIds.add(formerMemberId);
  for (const userId of userIds) announceToUser(userId, { type: "project.changed", projectId });
}
