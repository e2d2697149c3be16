import type { Database } from "@/lib/server/platform/db/database";
import { sqlJson } from "@/lib/server/platform/db/dialect";

interface InstalledSkillRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** The installed skills by name. */
export function selectInstalledSkills(database: Database): Promise<InstalledSkillRow[]> {
  return database.raw<InstalledSkillRow>(
    `select "id", "name", "description" from "skill" where "deletedAt" is null order by "name"`,
  );
}

interface SkillFileRow {
  /** The skill's name. */
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly sizeBytes: number;
}

/** The files of the skills' current versions, by skill and path. */
export async function selectSkillFiles(database: Database, skillIds: readonly string[]): Promise<SkillFileRow[]> {
  const wanted = database.dialect.rows("wanted", { id: "text" }, "$1");
  const sql = `select s."name", f."path", f."blobHash" as "hash", f."sizeBytes" from "skill_file" f
    join "skill" s on s."id" = f."skillId" and s."version" = f."number"
    join ${wanted} on wanted."id" = s."id" order by s."name", f."path"`;
  const rows = await database.raw<SkillFileRow>(sql, [sqlJson(skillIds.map((id) => ({ id })))]);
  return rows.map((row) => ({ ...row, sizeBytes: Number(row.sizeBytes) }));
}
