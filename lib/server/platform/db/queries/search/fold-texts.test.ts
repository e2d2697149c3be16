import { afterEach, beforeEach, expect, test } from "vitest";
import { fold } from "@/lib/schema/fold";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { migrationsDirectory, readMigrations } from "@/scripts/database/migration-files";
import { countUnfolded, foldTexts } from "./fold-texts";

let opened: TestDatabase;
beforeEach(async () => {
  opened = await createTestDatabase();
  await opened.database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await opened.database.agent.create({ data: { id: "writer" } });
});
afterEach(() => opened.close());

const TITLES = [
  "مستشفى المدينة",
  "کتاب ۱۲۳",
  "Þórður",
  "هاتف ٠١٢",
  "अंक ५",
  "\u{1e951}",
  "Straße",
  "план",
  "日本語 🎉",
  "plain",
];

test("texts with letters and digits that were not folded before are folded again, and only those", async () => {
  const { database } = opened;
  await database.thread.createMany({
    data: TITLES.map((title, index) => ({
      ...{ id: `t${index}`, clientId: `t${index}`, ownerId: "u1", agentId: "writer", title },
    })),
  });
  while ((await foldTexts(database, 100)) > 0);
  await database.raw(`update "thread" set "folded" = 'old' where "folded" is not null`);
  const { provider } = database.dialect;
  const migration = readMigrations(provider).find(({ name }) => name.endsWith("_fold_arabic_and_digits"));
  if (!migration) throw new Error(`No migration in ${migrationsDirectory(provider)}`);
  for (const statement of migration.sql.split(/;\n/).filter((part) => /^\w/m.test(part))) await database.raw(statement);
  expect(await countUnfolded(database, 100)).toBe(6);
  while ((await foldTexts(database, 100)) > 0);
  const rows = await database.thread.findMany({ orderBy: { clientId: "asc" } });
  expect(rows.map(({ folded }) => folded)).toEqual([...TITLES.slice(0, 6).map(fold), "old", null, null, null]);
});
