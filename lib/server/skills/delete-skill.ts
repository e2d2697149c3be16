import "server-only";
import type { InstalledSkill } from "@/lib/schema/skills/skill";
import type { Viewer } from "@/lib/schema/users/user";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { database } from "@/lib/server/platform/db/database";
import { getInstalledSkill } from "./get-skill";
import { noSkill } from "./skill-row";

/** Removes the skill from every agent; `restoreSkill` brings it back with its versions. Throws `not_found`. */
export async function deleteSkill(name: string, viewer: Viewer): Promise<void> {
  const change = { deletedAt: new Date(), updatedById: viewer.id };
  const { count } = await database().skill.updateMany({ where: { name, deletedAt: null }, data: change });
  if (count === 0) throw noSkill(name);
  await writeAudit({ actorId: viewer.id, action: "skill.deleted", target: `skill:${name}` });
}

/** Undoes a deletion; an existing skill is unchanged. Throws `not_found`. */
export async function restoreSkill(name: string, viewer: Viewer): Promise<InstalledSkill> {
  const change = { deletedAt: null, updatedById: viewer.id };
  const { count } = await database().skill.updateMany({ where: { name, deletedAt: { not: null } }, data: change });
  if (count > 0) await writeAudit({ actorId: viewer.id, action: "skill.restored", target: `skill:${name}` });
  return getInstalledSkill(name);
}
