import type { Database } from "@/lib/server/platform/db/database";
import { build } from "@/lib/server/platform/db/kysely/build";
import { jsonRows } from "@/lib/server/platform/db/kysely/json-rows";

interface InstalledSkillRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** The installed skills by name. */
export function selectInstalledSkills(database: Database): Promise<InstalledSkillRow[]> {
  return database.execute(
    build.selectFrom("skill").select(["id", "name", "description"]).where("deletedAt", "is", null).orderBy("name"),
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
export function selectSkillFiles(database: Database, skillIds: readonly string[]): Promise<SkillFileRow[]> {
  const wanted = jsonRows(
    database.dialect,
    { id: "text" },
    skillIds.map((id) => ({ id })),
  );
  return database.execute(
    build
      .selectFrom("skill_file as f")
      .innerJoin("skill as s", (join) => join.onRef("s.id", "=", "f.skillId").onRef("s.version", "=", "f.number"))
      .innerJoin(wanted.as("wanted"), "wanted.id", "s.id")
      .select(["s.name", "f.path", "f.blobHash as hash", "f.sizeBytes"])
      .orderBy("s.name")
      .orderBy("f.path"),
  );
}
