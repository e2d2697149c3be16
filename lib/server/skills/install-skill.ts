import "server-only";
import type { InstallSkillReply, SkillSource } from "@/lib/schema/skills/skill";
import type { Viewer } from "@/lib/schema/users/user";
import { storeBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { getInstalledSkill } from "./get-skill";
import { findInstalled, type StoredSkillFile, saveSkill } from "./save-skill";
import { hashSkillFiles, type SkillPackage } from "./skill-package";

/**
 * Installs a checked skill: a new one, or the next version of the existing one with its name. Identical files change
 * nothing, but restore a deleted skill. Throws `conflict` if the skill is changed at the same time.
 */
export async function installSkill(
  services: Services,
  skill: SkillPackage,
  source: SkillSource,
  viewer: Viewer,
): Promise<InstallSkillReply> {
  const files = await storeSkillFiles(services.database, skill);
  const contentHash = hashSkillFiles(files);
  const before = await findInstalled(services.database, skill.name);
  const isSame = before?.contentHash === contentHash;
  if (before && isSame && !before.isDeleted) {
    return { ...(await getInstalledSkill(services.database, skill.name)), outcome: "unchanged" };
  }
  const version = (before?.version ?? 0) + (isSame ? 0 : 1);
  const details = { files: files.length, sizeBytes: skill.sizeBytes, source };
  await saveSkill(services, {
    skill,
    source,
    contentHash,
    files: isSame ? [] : files,
    version,
    before,
    viewerId: viewer.id,
    audit: { action: "skill.installed", details },
  });
  return { ...(await getInstalledSkill(services.database, skill.name)), outcome: before ? "updated" : "created" };
}

async function storeSkillFiles(database: Database, skill: SkillPackage): Promise<StoredSkillFile[]> {
  const files: StoredSkillFile[] = [];
  for (const { path, bytes } of skill.files) {
    files.push({ path, hash: await storeBlob(database, bytes), sizeBytes: bytes.byteLength });
  }
  return files;
}

/** Installs a sample skill, unless a skill with its name exists or existed. */
export async function installSample(services: Services, skill: SkillPackage): Promise<void> {
  if (await findInstalled(services.database, skill.name)) return;
  const files = await storeSkillFiles(services.database, skill);
  const facts = { contentHash: hashSkillFiles(files), files, version: 1, before: null, viewerId: null };
  await saveSkill(services, { skill, source: "sample", ...facts });
}
