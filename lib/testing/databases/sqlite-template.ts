import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { applyDirectly } from "@/scripts/database/apply-migrations";

declare module "vitest" {
  interface ProvidedContext {
    /** Which database the tests of a project use. */
    testDatabase: "sqlite" | "postgresql";
    /** A migrated SQLite file, to be copied. */
    sqliteTemplate: string;
  }
}

/** Vitest's global setup of the tests on SQLite; the result is called when all are done. */
export async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-templates-"));
  const sqliteTemplate = path.join(directory, "template.db");
  await applyDirectly(`file:${sqliteTemplate}`);
  project.provide("sqliteTemplate", sqliteTemplate);
  return () => rmSync(directory, { recursive: true, force: true });
}
