import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { applyDirectly } from "@/scripts/database/apply-migrations";

declare module "vitest" {
  interface ProvidedContext {
    /** The kind of database that a project's tests use. */
    testDatabase: "sqlite" | "postgresql";
    /** A migrated SQLite file to copy. */
    sqliteTemplate: string;
  }
}

/** Vitest's global setup for the tests on SQLite; the returned function is called after all of them. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-templates-"));
  const sqliteTemplate = path.join(directory, "template.db");
  await applyDirectly(`file:${sqliteTemplate}`);
  project.provide("sqliteTemplate", sqliteTemplate);
  return () => rmSync(directory, { recursive: true, force: true });
}
