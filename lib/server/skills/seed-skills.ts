import "server-only";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";
import { settingOrInsert } from "@/lib/server/platform/db/queries/settings";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { installSample } from "./install-skill";
import { checkSkillPackage } from "./skill-package";

const SEEDED_KEY = "skills_seeded";
const DONE = "1";

/**
 * Installs the sample skills, once in the life of a database that had neither agents nor skills: a deleted one is never
 * recreated. If a start is interrupted, the next start finishes the job.
 */
export async function seedSkills(services: Services): Promise<void> {
  if ((await readProgress(services.database)) === DONE) return;
  const names = await installSamples(services, path.join(process.cwd(), "examples", "skills"));
  await services.database.setting.update({ where: { key: SEEDED_KEY }, data: { value: DONE } });
  logger().info({ skills: names }, "installed the sample skills");
}

/** `begun` in a database that was empty, until `DONE`. */
async function readProgress(database: Database): Promise<string | undefined> {
  const known = (await database.agent.count()) + (await database.skill.count());
  return settingOrInsert(database, SEEDED_KEY, known > 0 ? DONE : "begun");
}

async function installSamples(services: Services, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
  for (const name of names) await install(services, path.join(folder, name), name);
  return names;
}

/** A process started at the same time may have installed it first. */
async function install(services: Services, folder: string, name: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.toSorted().map(async (file) => ({ path: path.relative(folder, file), bytes: await readFile(file) })),
  );
  try {
    await installSample(services, checkSkillPackage(files, name));
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
  }
}
