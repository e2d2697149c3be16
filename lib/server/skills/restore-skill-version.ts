import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type InstalledSkill, SkillSource } from "@/lib/schema/skills/skill";
import type { Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { getInstalledSkill } from "./get-skill";
import { findInstalled, saveSkill } from "./save-skill";
import { noSkill } from "./skill-row";

/** Creates the next version of a skill with the files of an older one. Throws `not_found`. */
export async function restoreSkillVersion(
  services: Services,
  name: string,
  number: number,
  viewer: Viewer,
): Promise<InstalledSkill> {
  const before = await findInstalled(services.database, name);
  if (!before || before.isDeleted) throw noSkill(name);
  const old = await services.database.skillVersion.findUnique({
    where: { skillId_number: { skillId: before.id, number } },
    include: { files: { select: { path: true, blobHash: true, sizeBytes: true } } },
  });
  if (!old) throw new AppError("not_found", `${name} has no version ${number}.`);
  if (number === before.version) return getInstalledSkill(services.database, name);
  const { description, sizeBytes, contentHash } = old;
  const version = before.version + 1;
  await saveSkill(services, {
    skill: { name, description, sizeBytes },
    source: SkillSource.parse(old.source),
    contentHash,
    files: old.files.map(({ path, blobHash, sizeBytes: size }) => ({ path, hash: blobHash, sizeBytes: size })),
    version,
    before,
    viewerId: viewer.id,
    audit: { action: "skill.installed", details: { restoredFrom: number } },
  });
  return getInstalledSkill(services.database, name);
}
