import "server-only";
import type { InstalledSkill } from "@/lib/schema/skills/skill";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { isNotFound } from "@/lib/server/platform/db/errors";
import type { Services } from "@/lib/server/platform/services";
import { getInstalledSkill } from "./get-skill";
import { noSkill } from "./skill-row";

/** Removes the skill from every agent; `restoreSkill` restores it with its versions. Throws `not_found`. */
export async function deleteSkill(services: Services, name: string, viewer: Viewer): Promise<void> {
  if (!(await setDeleted(services, name, new Date(), viewer))) throw noSkill(name);
}

/** Undoes a deletion; an existing skill is unchanged. Throws `not_found`. */
export async function restoreSkill(services: Services, name: string, viewer: Viewer): Promise<InstalledSkill> {
  await setDeleted(services, name, null, viewer);
  return getInstalledSkill(services.database, name);
}

/** False if there is no such skill in the opposite state; then nothing is stored. */
async function setDeleted(
  services: Services,
  name: string,
  deletedAt: Date | null,
  { id: viewerId }: Viewer,
): Promise<boolean> {
  const where = { name, deletedAt: deletedAt === null ? { not: null } : null };
  const action = deletedAt === null ? "skill.restored" : "skill.deleted";
  try {
    await services.database.$transaction([
      services.database.skill.update({ where, data: { deletedAt, updatedById: viewerId } }),
      auditQuery(services, {
        actorId: viewerId,
        action,
        target: `skill:${name}`,
        before: { deleted: deletedAt === null },
        after: { deleted: deletedAt !== null },
      }),
    ]);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
