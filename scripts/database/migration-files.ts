import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { KnownMigrations } from "@/lib/server/platform/db/migrations/compare-migrations";
import { projectDirectory } from "../project-directory";
import type { Provider } from "./run-prisma";

export interface MigrationScript {
  readonly name: string;
  readonly checksum: string;
  readonly sql: string;
  /** The first version that has it, and the oldest that may work with a database that has it. */
  readonly since: string;
}

/** Of the migrations that say none. */
const FIRST_RELEASE = "0.2.0";
const SINCE = /^-- Since (\d+\.\d+\.\d+)\n/;

/** The first line of a migration that `version` brings. */
export function sinceLine(version: string): string {
  return `-- Since ${version}\n`;
}

export function migrationsDirectory(provider: Provider): string {
  return path.join(projectDirectory, "prisma", provider, "migrations");
}

/** Every migration of `provider`, oldest first. */
export function readMigrations(provider: Provider): MigrationScript[] {
  return readdirSync(migrationsDirectory(provider), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readMigration(provider, name))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

export function knownMigrations(provider: Provider): KnownMigrations {
  const folded = readFileSync(path.join(migrationsDirectory(provider), "folded.txt"), "utf8")
    .trim()
    .split("\n");
  return { names: readMigrations(provider).map(({ name }) => name), folded };
}

function readMigration(provider: Provider, name: string): MigrationScript {
  const sql = readFileSync(path.join(migrationsDirectory(provider), name, "migration.sql"), "utf8");
  const [, since = FIRST_RELEASE] = SINCE.exec(sql) ?? [];
  return { name, checksum: createHash("sha256").update(sql).digest("hex"), sql, since };
}
