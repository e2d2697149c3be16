import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type InstalledSkill, type SkillDetail, SkillSource, type SkillVersion } from "@/lib/schema/skills/skill";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { readBlob } from "@/lib/server/files/blobs";
import { database } from "@/lib/server/platform/db/database";
import { selectedSkills } from "@/lib/skills/skill-settings";
import { noSkill, requireSkill, SKILL_FIELDS, toInstalledSkill } from "./skill-row";

/** Installed skills by name. */
export async function listInstalledSkills(): Promise<InstalledSkill[]> {
  const rows = await database().skill.findMany({
    where: { deletedAt: null },
    orderBy: { name: "asc" },
    select: {
      ...SKILL_FIELDS,
      versions: {
        orderBy: { number: "desc" },
        take: 1,
        select: { source: true, fileCount: true, sizeBytes: true },
      },
    },
  });
  const usersOf = await listSkillUsers();
  return rows.flatMap(({ versions: [version], ...row }) =>
    version ? toInstalledSkill(row, version, usersOf(row.name)) : [],
  );
}

/** One installed skill. Throws `not_found`. */
export async function getInstalledSkill(name: string): Promise<InstalledSkill> {
  const row = await requireSkill(name);
  const version = await database().skillVersion.findUnique({
    where: { skillId_number: { skillId: row.id, number: row.version } },
    select: { source: true, fileCount: true, sizeBytes: true },
  });
  if (!version) throw noSkill(name);
  return toInstalledSkill(row, version, (await listSkillUsers())(name));
}

/** A skill with its versions and the files of one of them (default: the current one). Throws `not_found`. */
export async function getSkillDetail(name: string, version?: number): Promise<SkillDetail> {
  const [skill, { id }] = await Promise.all([getInstalledSkill(name), requireSkill(name)]);
  const shownVersion = version ?? skill.version;
  const [versions, files] = await Promise.all([
    listSkillVersions(name),
    database().skillFile.findMany({
      where: { skillId: id, number: shownVersion },
      orderBy: { path: "asc" },
      select: { path: true, sizeBytes: true },
    }),
  ]);
  if (files.length === 0) throw new AppError("not_found", `${name} has no version ${shownVersion}.`);
  return { ...skill, shownVersion, files, versions };
}

/** Every version of a skill, newest first. Throws `not_found`. */
export async function listSkillVersions(name: string): Promise<SkillVersion[]> {
  const { id, version: current } = await requireSkill(name);
  const rows = await database().skillVersion.findMany({ where: { skillId: id }, orderBy: { number: "desc" } });
  const authors = await database().user.findMany({
    where: { id: { in: rows.flatMap(({ createdById }) => createdById ?? []) } },
    select: { id: true, name: true },
  });
  const names = new Map(authors.map((author) => [author.id, author.name]));
  return rows.map(({ number, description, source, fileCount, sizeBytes, createdAt, createdById }) => ({
    number,
    description,
    source: SkillSource.parse(source),
    fileCount,
    sizeBytes,
    createdAt: createdAt.toISOString(),
    createdByName: names.get(createdById ?? "") ?? null,
    current: number === current,
  }));
}

/** The bytes of one file of a skill (default: of its current version). Throws `not_found`. */
export async function readSkillFile(
  name: string,
  { path, version }: { readonly path: string; readonly version?: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { id, version: current } = await requireSkill(name);
  const file = await database().skillFile.findUnique({
    where: { skillId_number_path: { skillId: id, number: version ?? current, path } },
    select: { blobHash: true },
  });
  const bytes = file ? await readBlob(database(), file.blobHash) : null;
  if (!bytes) throw new AppError("not_found", `${name} has no file ${path}.`);
  return bytes;
}

/** Who uses an installed skill: the agents whose published config enables skills and does not exclude it. */
async function listSkillUsers(): Promise<(name: string) => InstalledSkill["usedBy"]> {
  const rows = await database().agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const agents = await Promise.all(
    rows.map(async ({ id, currentVersionId }) => {
      const { config } = await loadAgentVersion(database(), currentVersionId ?? "");
      return { id, name: config.name, selection: selectedSkills(config) };
    }),
  );
  return (skill) =>
    agents.flatMap(({ id, name, selection }) => {
      const isOffered = selection !== null && (selection.enabled === null || selection.enabled.includes(skill));
      return isOffered ? [{ id, name }] : [];
    });
}
