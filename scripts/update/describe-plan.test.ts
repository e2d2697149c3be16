import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations } from "../database/apply-migrations";
import { startPostgres } from "../database/postgres-server";
import { describePlan, tablesChanged } from "./describe-plan";

test.each([
  [`alter table "user" add column "later" text;`, ["user"]],
  [`UPDATE "run" SET "x" = 1; delete from "audit"; INSERT INTO "tag" values (1)`, ["run", "audit", "tag"]],
  [`CREATE UNIQUE INDEX "run_x" ON "run"("x");`, ["run"]],
  [`ALTER TABLE ONLY "run" DROP COLUMN "x"; DROP TABLE IF EXISTS "old"`, ["run", "old"]],
  [`create table "new" ("userId" text references "user" ("id") on delete cascade)`, []],
  ["create index run_x on run (x); alter table tag rename to label", ["run", "tag"]],
  ["insert into tag values (1) on conflict do update set x = 1", ["tag"]],
  [`-- update "user" later\nselect 1`, []],
])("%s", (sql, tables) => {
  expect(tablesChanged(sql)).toEqual(tables);
});

describe("the plan counts the rows of existing tables", () => {
  test("on SQLite", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-plan-"));
    try {
      await expectCounts(`file:${path.join(folder, "ringmaster.db")}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.skipIf(!requireMachine("postgresql"))("on Postgres", async () => {
    const server = await startPostgres();
    try {
      await expectCounts(server.url);
    } finally {
      await server.stop();
    }
  });
});

async function expectCounts(databaseUrl: string): Promise<void> {
  const [baseline = ""] = await applyMigrations(databaseUrl);
  const plan = await describePlan(databaseUrl, [baseline]);
  expect(plan).toMatch(/^Updating the database: one migration, \S+\. Rows of the tables that they change: /);
  expect(plan).toMatch(/, user 0[,.]/);
  expect(plan).toMatch(/, run 0,/);
}
