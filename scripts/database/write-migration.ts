import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { VERSION } from "@/lib/server/platform/version";
import { projectDirectory } from "../project-directory";
import { migrationsDirectory, sinceLine } from "./migration-files";
import { type Provider, runPrisma } from "./run-prisma";

/** Writes one new migration for `provider` if its schema has changed; returns its name or null. */
export async function writeMigration(provider: Provider, title: string, databaseUrl: string): Promise<string | null> {
  const sql = await pendingSchemaChange(provider, databaseUrl);
  if (sql === "") return null;
  const name = nameMigration(title);
  const directory = path.join(migrationsDirectory(provider), name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, "migration.sql"), `${sinceLine(VERSION)}\n${sql}\n`);
  return name;
}

/** SQL that turns the migrations' result into the schema; empty if they agree. */
export async function pendingSchemaChange(provider: Provider, databaseUrl: string): Promise<string> {
  const from = ["--from-migrations", migrationsDirectory(provider)];
  const to = ["--to-schema", path.join(projectDirectory, "prisma", provider, "schema.prisma")];
  const sql = await runPrisma(provider, ["migrate", "diff", ...from, ...to, "--script"], databaseUrl);
  return sql.includes("-- This is an empty migration.") ? "" : sql.trim();
}

/** A name that sorts last: after the first one, 0_baseline, in order of creation. */
export function nameMigration(title: string): string {
  const time = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  return `8_${time}_${title}`;
}
