import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { SkillDiff, SkillDiffQuery } from "@/lib/schema/skills/skill";
import { readBlob } from "@/lib/server/files/blobs";
import { patchOf } from "@/lib/server/files/file-patch";
import type { Database } from "@/lib/server/platform/db/database";
import { requireSkill } from "./skill-row";

/** The files that differ between two versions of a skill, by path. Throws `not_found`. */
export async function diffSkill(database: Database, name: string, query: SkillDiffQuery): Promise<SkillDiff> {
  const { id, version } = await requireSkill(database, name);
  const to = query.to ?? version;
  const from = query.from ?? to - 1;
  const [before, after] = await Promise.all([filesOf(database, id, name, from), filesOf(database, id, name, to)]);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const files: SkillDiff["files"] = [];
  for (const path of paths) {
    const [left, right] = [before.get(path) ?? null, after.get(path) ?? null];
    if (left === right) continue;
    const change = left === null ? "added" : right === null ? "removed" : "changed";
    files.push({ path, change, patch: await patchOfBlobs(database, path, left, right) });
  }
  return { from, to, files };
}

/** Content hashes by path; version 0 has no files. */
async function filesOf(
  database: Database,
  skillId: string,
  name: string,
  number: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.skillFile.findMany({
    where: { skillId, number },
    select: { path: true, blobHash: true },
  });
  if (rows.length === 0 && number !== 0) throw new AppError("not_found", `${name} has no version ${number}.`);
  return new Map(rows.map(({ path, blobHash }) => [path, blobHash]));
}

async function patchOfBlobs(
  database: Database,
  path: string,
  before: string | null,
  after: string | null,
): Promise<string | null> {
  const [left, right] = await Promise.all([before, after].map((hash) => readContent(database, hash)));
  return left && right ? patchOf(path, left, right) : null;
}

/** Empty for a missing file; null for content that is no longer stored. */
async function readContent(database: Database, hash: string | null): Promise<Uint8Array | null> {
  return hash === null ? new Uint8Array() : readBlob(database, hash);
}
