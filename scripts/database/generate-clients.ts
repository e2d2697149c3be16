// The two Prisma clients and Kysely's tables under lib/server/platform/db/generated, which is not in git.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../project-directory";
import { PROVIDERS, runPrisma } from "./run-prisma";
import { toTables } from "./table-types";

const GENERATED = path.join(projectDirectory, "lib/server/platform/db/generated");
const MARK = path.join(GENERATED, "made-from");
const SCHEMA = path.join(projectDirectory, "prisma/sqlite/schema.prisma");

/** Generates both clients and the tables. */
export async function generateClients(): Promise<void> {
  await Promise.all(PROVIDERS.map((provider) => runPrisma(provider, ["generate"])));
  mkdirSync(GENERATED, { recursive: true });
  writeFileSync(path.join(GENERATED, "tables.ts"), toTables(readFileSync(SCHEMA, "utf8")));
  writeFileSync(MARK, sourceHash());
}

/**
 * Generates them only if they are missing or were generated from other schemas or another Prisma; calls `announce`
 * first.
 */
export async function ensureClients(announce: () => void = () => undefined): Promise<void> {
  const areComplete = PROVIDERS.every((provider) => existsSync(path.join(GENERATED, provider, "client.ts")));
  if (areComplete && existsSync(MARK) && readFileSync(MARK, "utf8") === sourceHash()) return;
  announce();
  await generateClients();
}

function sourceHash(): string {
  const hash = createHash("sha256");
  const schemas = PROVIDERS.map((provider) => `prisma/${provider}/schema.prisma`);
  for (const file of [...schemas, "node_modules/prisma/package.json", "scripts/database/table-types.ts"]) {
    hash.update(readFileSync(path.join(projectDirectory, file)));
  }
  return hash.digest("hex");
}
