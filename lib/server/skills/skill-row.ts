import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type InstalledSkill, SkillSource } from "@/lib/schema/skills/skill";
import type { Database } from "@/lib/server/platform/db/database";

/** The columns that `toInstalledSkill` needs, with the current version's facts. */
export const SKILL_FIELDS = {
  id: true,
  name: true,
  description: true,
  version: true,
  updatedAt: true,
} as const;

interface SkillRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version: number;
  readonly updatedAt: Date;
}

interface VersionSummary {
  readonly source: string;
  readonly fileCount: number;
  readonly sizeBytes: number;
}

/** A row as shown by the API. */
export function toInstalledSkill(
  { name, description, version, updatedAt }: SkillRow,
  { source, fileCount, sizeBytes }: VersionSummary,
  usedBy: InstalledSkill["usedBy"],
): InstalledSkill {
  return {
    name,
    description,
    version,
    source: SkillSource.parse(source),
    fileCount,
    sizeBytes,
    updatedAt: updatedAt.toISOString(),
    usedBy,
  };
}

/** An installed skill that is not deleted. Throws `not_found`. */
export async function requireSkill(database: Database, name: string): Promise<SkillRow> {
  const row = await database.skill.findFirst({ where: { name, deletedAt: null }, select: SKILL_FIELDS });
  if (!row) throw noSkill(name);
  return row;
}

export function noSkill(name: string): AppError {
  return new AppError("not_found", `There is no installed skill ${JSON.stringify(name)}.`);
}
