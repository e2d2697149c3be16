// prisma/postgresql/schema.prisma is generated from prisma/sqlite/schema.prisma.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { projectDirectory } from "../project-directory";

const SQLITE_SCHEMA = path.join(projectDirectory, "prisma/sqlite/schema.prisma");
const POSTGRES_SCHEMA = path.join(projectDirectory, "prisma/postgresql/schema.prisma");
const NOTICE = "// Generated from prisma/sqlite/schema.prisma by `npm run db:sync-schema`. Edit that file.";

/** The Postgres schema that corresponds to the text of the SQLite schema. */
export function toPostgresSchema(sqliteSchema: string): string {
  const body = sqliteSchema
    .replace(/^(?:\/\/[^\n]*\n)+/, "")
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace("lib/server/platform/db/generated/sqlite", "lib/server/platform/db/generated/postgresql");
  return `${NOTICE}\n${body}`;
}

/** Writes the Postgres schema. */
export function syncSchema(): void {
  writeFileSync(POSTGRES_SCHEMA, toPostgresSchema(readFileSync(SQLITE_SCHEMA, "utf8")));
}
