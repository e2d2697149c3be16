import { type QueryCreator, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { NothingChanged } from "@/lib/server/platform/db/errors";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { build, textStatement } from "./build";
import { hotStatement, type PlaceFor } from "./hot-statement";
import { jsonRows } from "./json-rows";

const CREATED = new Date("2026-01-02T03:04:05.006Z");
const ANN = { id: "usr_1", name: "Ann", email: "ann@example.org", createdAt: CREATED, updatedAt: CREATED };

describe("statements of Kysely", () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = testDatabase.database;
    await database.execute(build.insertInto("user").values(ANN));
  });

  afterEach(() => testDatabase.close());

  test("a row is what its type says: timestamps are ISO text, flags booleans, defaults the database's", async () => {
    const [user] = await database.execute(build.selectFrom("user").selectAll());
    expect(user).toEqual({
      ...ANN,
      createdAt: "2026-01-02T03:04:05.006+00:00",
      updatedAt: "2026-01-02T03:04:05.006+00:00",
      emailVerified: false,
      isService: false,
      role: "member",
      ...Object.fromEntries(
        ["image", "groupRole", "deactivatedAt", "erasedAt", "erasureEndAt", "timeZone"].map((name) => [name, null]),
      ),
    });
    expectTypeOf(user).toEqualTypeOf<
      | {
          id: string;
          name: string;
          email: string;
          emailVerified: boolean;
          image: string | null;
          role: string;
          groupRole: string | null;
          isService: boolean;
          deactivatedAt: string | null;
          erasedAt: string | null;
          erasureEndAt: string | null;
          timeZone: string | null;
          createdAt: string;
          updatedAt: string;
        }
      | undefined
    >();
  });

  test("flags are booleans wherever they come from: RETURNING, an alias, a subquery, a null of an outer join", async () => {
    const update = build.updateTable("user").set({ emailVerified: true });
    expect(await database.execute(update.returning("emailVerified"))).toEqual([{ emailVerified: true }]);
    const inner = build.selectFrom("user").select(["id", "emailVerified as verified", "isService"]);
    expect(await database.execute(build.selectFrom(inner.as("u")).select(["u.verified", "u.isService"]))).toEqual([
      { verified: true, isService: false },
    ]);
    const members = build.selectFrom("user as u").leftJoin("group_member as m", "m.userId", "u.id");
    expect(await database.execute(members.select(["u.emailVerified", "m.fromOidc"]))).toEqual([
      { emailVerified: true, fromOidc: null },
    ]);
    const verified = build.selectFrom("user").select("id").where("emailVerified", "=", true);
    expect(await database.execute(verified.where("isService", "=", false))).toEqual([{ id: "usr_1" }]);
  });

  test("text, numbers, bytes and JSON come back as they were stored", async () => {
    const texts = ["", "é", "a'b\"c\\d", "%_", "$1 ?", JSON.stringify({ a: [1, null, "\n"] }), "😀"];
    for (const value of texts) {
      const setting = { key: `k${value}`, value, updatedAt: CREATED };
      await database.execute(build.insertInto("setting").values(setting), "full");
      const found = build.selectFrom("setting").select("value").where("key", "=", setting.key);
      expect(await database.execute(found)).toEqual([{ value }]);
    }
    const content = new Uint8Array([0, 1, 255]);
    await database.execute(build.insertInto("blob").values({ hash: "h", content, sizeBytes: 3, createdAt: CREATED }));
    const [blob] = await database.execute(build.selectFrom("blob").select(["content", "sizeBytes"]));
    expect(new Uint8Array(blob?.content ?? [])).toEqual(content);
    expect(blob?.sizeBytes).toBe(3);
    const row = { i: 2_147_483_648, f: 0.1, b: true, d: sqlTimestamp(CREATED), j: { a: 1 }, t: "é" };
    const columns = { i: "integer", f: "float", b: "boolean", d: "timestamp", j: "json", t: "text" } as const;
    const rows = jsonRows(database.dialect, columns, [row, {}]);
    const [full, empty] = await database.execute(build.selectFrom(rows.as("r")).selectAll().orderBy("r.ordinal"));
    expect({ ...full, b: Boolean(full?.b), j: JSON.parse(full?.j ?? "") }).toEqual({ ...row, ordinal: 1 });
    expect(empty).toEqual({ i: null, f: null, b: null, d: null, j: null, t: null, ordinal: 2 });
  });

  test("counts and sums are numbers", async () => {
    const figures = build
      .selectFrom("blob")
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number | null>("sizeBytes").as("bytes")]);
    expect(await database.execute(figures)).toEqual([{ count: 0, bytes: null }]);
    const values = ["a", "b"].map((hash) => {
      return { hash, content: new Uint8Array(), sizeBytes: 2_000_000_000, createdAt: CREATED };
    });
    await database.execute(build.insertInto("blob").values(values));
    expect(await database.execute(figures)).toEqual([{ count: 2, bytes: 4_000_000_000 }]);
  });

  test("timestamps are compared to the millisecond", async () => {
    const found = (operator: "<" | "=" | ">", date: Date) =>
      database.execute(build.selectFrom("user").select("id").where("createdAt", operator, sqlTimestamp(date)));
    expect(await found("=", CREATED)).toHaveLength(1);
    expect(await found("<", CREATED)).toEqual([]);
    expect(await found(">", new Date(CREATED.getTime() - 1))).toHaveLength(1);
  });

  test("a list is stored whole or not at all, and a fence that changes nothing undoes it", async () => {
    const rename = (id: string, name: string) => build.updateTable("user").set({ name }).where("id", "=", id).compile();
    const names = () => database.execute(build.selectFrom("user").select("name"));
    const fence = { ...rename("nobody", "x"), mustChange: true };
    await expect(database.runAll([rename("usr_1", "Lost"), fence])).rejects.toThrow(NothingChanged);
    expect(await names()).toEqual([{ name: "Ann" }]);
    const read = build.selectFrom("user").select("name").compile();
    const rows = await database.runAll([{ ...rename("usr_1", "Bea"), mustChange: true }, read], "normal");
    expect(rows).toEqual([[], [{ name: "Bea" }]]);
  });

  test("a hot statement is built once, and binds its values each time", async () => {
    let built = 0;
    const renamed = hotStatement((value: PlaceFor<{ id: string; name: string }>) => {
      built += 1;
      const update = build
        .updateTable("user")
        .set({ name: value("name") })
        .where("id", "=", value("id"));
      return update.where("role", "=", "member").returning(["id", "name"]);
    });
    expect(built).toBe(0);
    expect(await database.execute(renamed({ id: "usr_1", name: "Bea" }))).toEqual([{ id: "usr_1", name: "Bea" }]);
    expect(await database.execute(renamed({ id: "usr_2", name: "Cy" }))).toEqual([]);
    await database.runAll([renamed({ id: "usr_1", name: "Dot" })]);
    expect(await database.execute(build.selectFrom("user").select("name"))).toEqual([{ name: "Dot" }]);
    expect(built).toBe(1);
    expect(renamed({ id: "a", name: "b" }).parameters).toEqual(["b", "a", "member"]);
  });

  test("text that Kysely has no words for binds values as well", async () => {
    const upper = textStatement(
      sql<{ name: string }>`select upper("name") as "name" from "user" where "id" = ${"usr_1"}`,
    );
    expect(await database.execute(upper)).toEqual([{ name: "ANN" }]);
  });

  test("has no transaction of its own, by type and at run time, and nothing runs past the database", async () => {
    expectTypeOf(build).toEqualTypeOf<QueryCreator<Tables>>();
    // @ts-expect-error the type has no transactions
    await expect(build.transaction().execute(async () => undefined)).rejects.toThrow("execute() or runAll()");
    await expect(build.deleteFrom("user").execute()).rejects.toThrow("execute() or runAll()");
    expect(await database.user.count()).toBe(1);
  });
});
