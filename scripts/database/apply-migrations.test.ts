import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { explainStart } from "../explain-failure";
import { applyToSqlite, DatabaseRefused } from "./apply-migrations";

const TABLES = {
  name: "0_baseline",
  checksum: "a",
  since: "0.2.0",
  sql: `create table "setting" ("key" text primary key, "value" text not null, "updatedAt" text);
create table "owner" ("id" text primary key);
create table "thing" ("id" text primary key, "ownerId" text not null references "owner" ("id"));
insert into "owner" values ('here');
insert into "thing" values ('t1', 'here');`,
};
const ADDING = { name: "1_adding", checksum: "b", since: "0.2.0", sql: `alter table "thing" add column "note" text;` };
const LOSING = { name: "1_losing", checksum: "c", since: "0.2.0", sql: `delete from "owner";` };

describe("a migration of a database whose rows refer to each other", () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "ringmaster-migrations-"));
    file = path.join(folder, "ringmaster.db");
    applyToSqlite(file, [TABLES]);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function ask(sql: string): unknown[] {
    const connection = new Connection(file);
    connection.pragma("foreign_keys = OFF");
    const statement = connection.prepare(sql);
    const rows = statement.reader ? statement.all() : [statement.run()];
    connection.close();
    return rows;
  }

  test("is refused in a sentence and taken back where it would leave rows that refer to missing ones", () => {
    let refusal: unknown;
    try {
      applyToSqlite(file, [LOSING]);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(DatabaseRefused);
    expect(explainStart(refusal)).toContain("1_losing would leave rows that refer to missing ones (1)");
    expect(ask(`select * from "owner"`)).toHaveLength(1);
    expect(ask(`select "migration_name" as "name" from "_prisma_migrations"`)).toEqual([{ name: "0_baseline" }]);
  });

  test("is applied where such rows were there before, which it did not make", () => {
    ask(`insert into "thing" values ('t2', 'gone')`);
    applyToSqlite(file, [ADDING]);
    expect(ask(`select "id", "note" from "thing" order by "id"`)).toEqual([
      { id: "t1", note: null },
      { id: "t2", note: null },
    ]);
    expect(() => applyToSqlite(file, [LOSING])).toThrow(DatabaseRefused);
  });
});
