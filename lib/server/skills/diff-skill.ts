import "server-only";
import { createTwoFilesPatch } from "diff";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";
import { AppError } from "@/lib/schema/app-error";
import type { SkillDiff, SkillDiffQuery } from "@/lib/schema/skills/skill";
import { readBlob } from "@/lib/server/files/blobs";
import { database } from "@/lib/server/platform/db/database";
import { requireSkill } from "./skill-row";

const DIFF_TIMEOUT_MS = 500;

/** The files that differ between two versions of a skill, by path. Throws `not_found`. */
export async function diffSkill(name: string, query: SkillDiffQuery): Promise<SkillDiff> {
  const { id, version } = await requireSkill(name);
  const to = query.to ?? version;
  const from = query.from ?? to - 1;
  const [before, after] = await Promise.all([filesOf(id, name, from), filesOf(id, name, to)]);
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const files: SkillDiff["files"] = [];
  for (const path of paths) {
    const [left, right] = [before.get(path) ?? null, after.get(path) ?? null];
    if (left === right) continue;
    const change = left === null ? "added" : right === null ? "removed" : "changed";
    files.push({ path, change, patch: await patchOf(path, left, right) });
  }
  return { from, to, files };
}

/** Content hashes by path; version 0 has no files. */
async function filesOf(skillId: string, name: string, number: number): Promise<ReadonlyMap<string, string>> {
  const rows = await database().skillFile.findMany({
    where: { skillId, number },
    select: { path: true, blobHash: true },
  });
  if (rows.length === 0 && number !== 0) throw new AppError("not_found", `${name} has no version ${number}.`);
  return new Map(rows.map(({ path, blobHash }) => [path, blobHash]));
}

async function patchOf(path: string, before: string | null, after: string | null): Promise<string | null> {
  const [left, right] = await Promise.all([before, after].map(readText));
  if (left === null || right === null || left === undefined || right === undefined) return null;
  return createTwoFilesPatch(path, path, left, right, "", "", { context: 3, timeout: DIFF_TIMEOUT_MS }) ?? null;
}

async function readText(hash: string | null): Promise<string | null> {
  if (hash === null) return "";
  const bytes = await readBlob(database(), hash);
  return bytes ? decodeOrNull(bytes) : null;
}
