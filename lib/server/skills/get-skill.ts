import "server-only";
import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { AppError } from "@/lib/schema/app-error";
import {
  type InstalledSkill,
  type SkillDetail,
  SkillSource,
  type SkillUsage,
  type SkillVersion,
} from "@/lib/schema/skills/skill";
import { skillCommand } from "@/lib/schema/skills/skill-command";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import { readBlob } from "@/lib/server/files/blobs";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, EVERY_AGENT, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import { selectInstalledSkills } from "@/lib/server/platform/db/queries/skills";
import { userNames } from "@/lib/server/users/user-names";
import { allowedToolText } from "@/lib/skills/allowed-tools";
import { askedSkillText } from "@/lib/skills/asked-skill";
import { inlineSkill, skillLine, skillSearchHint, skillsMode } from "@/lib/skills/describe-skills";
import { parseSkillFrontmatter } from "@/lib/skills/skill-frontmatter";
import { type SkillSelection, selectedSkills, skillSettings } from "@/lib/skills/skill-settings";
import { noSkill, requireSkill, SKILL_FIELDS, toInstalledSkill } from "./skill-row";

/** Installed skills by name. */
export async function listInstalledSkills(database: Database, access: AgentAccess): Promise<InstalledSkill[]> {
  const rows = await database.skill.findMany({
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
  const usersOf = await listSkillUsers(database, access);
  return rows.flatMap(({ versions: [version], ...row }) =>
    version ? toInstalledSkill(row, version, usersOf(row.name)) : [],
  );
}

/** One installed skill. Throws `not_found`. */
export async function getInstalledSkill(
  database: Database,
  name: string,
  access: AgentAccess = EVERY_AGENT,
): Promise<InstalledSkill> {
  const row = await requireSkill(database, name);
  const version = await database.skillVersion.findUnique({
    where: { skillId_number: { skillId: row.id, number: row.version } },
    select: { source: true, fileCount: true, sizeBytes: true },
  });
  if (!version) throw noSkill(name);
  return toInstalledSkill(row, version, (await listSkillUsers(database, access))(name));
}

/** A skill with its versions and the files of one of them (default: the current one). Throws `not_found`. */
export async function getSkillDetail(
  database: Database,
  name: string,
  version?: number,
  access: AgentAccess = EVERY_AGENT,
): Promise<SkillDetail> {
  const [skill, { id }] = await Promise.all([getInstalledSkill(database, name, access), requireSkill(database, name)]);
  const shownVersion = version ?? skill.version;
  const [versions, files] = await Promise.all([
    listSkillVersions(database, name),
    database.skillFile.findMany({
      where: { skillId: id, number: shownVersion },
      orderBy: { path: "asc" },
      select: { path: true, sizeBytes: true },
    }),
  ]);
  if (files.length === 0) throw new AppError("not_found", `${name} has no version ${shownVersion}.`);
  return { ...skill, shownVersion, ...(await describeFormat(database, name, shownVersion)), files, versions };
}

/** The fields of the front matter besides name and description. */
async function describeFormat(database: Database, name: string, version: number) {
  const text = await readInstructions(database, name, version);
  const { license, compatibility, metadata = {}, allowedTools } = parseSkillFrontmatter(text) ?? {};
  return {
    license: license ?? null,
    compatibility: compatibility ?? null,
    metadata: { ...metadata },
    allowedTools: allowedTools?.map(allowedToolText) ?? null,
  };
}

async function readInstructions(database: Database, name: string, version?: number): Promise<string> {
  const place = { path: "SKILL.md", ...(version === undefined ? {} : { version }) };
  return new TextDecoder().decode(await readSkillFile(database, name, place));
}

/** The agents that have the skill, each with the prompt text about it. Throws `not_found`. */
export async function getSkillUsage(database: Database, name: string): Promise<SkillUsage> {
  await requireSkill(database, name);
  const [installed, users, text] = await Promise.all([
    selectInstalledSkills(database),
    listSkillAgents(database, EVERY_AGENT),
    readInstructions(database, name),
  ]);
  const entries = installed.map((skill) => ({
    ...skill,
    path: `/skills/${skill.name}/SKILL.md`,
    source: "library" as const,
  }));
  const entry = entries.find((skill) => skill.name === name);
  if (!entry) throw noSkill(name);
  const agents = users.flatMap(({ id, config, selection }) => {
    const own = entries.filter((skill) => isOffered(selection, skill.name));
    if (!own.includes(entry)) return [];
    const charsPerToken = config.chars_per_token;
    const mode = skillsMode(own, skillSettings(config), charsPerToken);
    const said = { catalog: skillLine(entry), inline: inlineSkill(entry, text), search: skillSearchHint(own.length) }[
      mode
    ];
    return { id, name: config.name, mode, text: said, tokens: tokensOf(said, charsPerToken) };
  });
  return { agents, command: skillCommand(name), askedText: askedSkillText(entry) };
}

const MAX_VERSIONS = 500;

/** The newest versions of a skill, newest first. Throws `not_found`. */
export async function listSkillVersions(database: Database, name: string): Promise<SkillVersion[]> {
  const { id, version: current } = await requireSkill(database, name);
  const rows = await database.skillVersion.findMany({
    where: { skillId: id },
    orderBy: { number: "desc" },
    take: MAX_VERSIONS,
  });
  const names = await userNames(
    database,
    rows.map(({ createdById }) => createdById),
  );
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
  database: Database,
  name: string,
  { path, version }: { readonly path: string; readonly version?: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const { id, version: current } = await requireSkill(database, name);
  const file = await database.skillFile.findUnique({
    where: { skillId_number_path: { skillId: id, number: version ?? current, path } },
    select: { blobHash: true },
  });
  const bytes = file ? await readBlob(database, file.blobHash) : null;
  if (!bytes) throw new AppError("not_found", `${name} has no file ${path}.`);
  return bytes;
}

/** The users of an installed skill: the agents whose published config enables skills and does not exclude it. */
async function listSkillUsers(
  database: Database,
  access: AgentAccess,
): Promise<(name: string) => InstalledSkill["usedBy"]> {
  const agents = await listSkillAgents(database, access);
  return (skill) =>
    agents.flatMap(({ id, config, selection }) => (isOffered(selection, skill) ? [{ id, name: config.name }] : []));
}

function isOffered(selection: SkillSelection | null, skill: string): boolean {
  return selection !== null && (selection.enabled === null || selection.enabled.includes(skill));
}

async function listSkillAgents(database: Database, access: AgentAccess) {
  const rows = await database.agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null }, ...reachableWhere(access) },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const agents = await Promise.all(
    rows.map(async ({ id, currentVersionId }) => {
      const version = await loadVersionOrNull(database, currentVersionId ?? "");
      return version && { id, config: version.config, selection: selectedSkills(version.config) };
    }),
  );
  return agents.filter((agent) => agent !== null);
}
