import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { openDatabase } from "./database";
import { insertRow } from "./kysely/row-statements";

let testDatabase: TestDatabase;
const database = () => testDatabase.database;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const setting = (key: string) => insertRow("setting", { key, value: "v", updatedAt: new Date() });
const keys = () => database().raw(`select "key" from "setting" order by "key"`);

test("a client takes what Prisma sends at once in a transaction, as when it splits a long insert", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const until = new Date();
  // More values than one statement can have.
  const data = Array.from({ length: 12_000 }, (_, index) => ({ key: `lock ${index}`, owner: "somebody", until }));
  await database().lock.createMany({ data });
  const [, count] = await database().$transaction([
    database().thread.findMany({ include: { runs: true, grants: true, messages: true } }),
    database().lock.count(),
  ]);
  expect(count).toBe(12_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

/** Between a client and the database: counts how often the client speaks after it was answered. */
async function startProxy() {
  const { hostname, port } = new URL(testDatabase.url);
  const turns = { count: 0 };
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let wasAnswered = true;
    client.on("data", (bytes) => {
      if (wasAnswered) turns.count += 1;
      wasAnswered = false;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      wasAnswered = true;
      client.write(bytes);
    });
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = new URL(testDatabase.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, turns };
}

test("a list takes two round trips, however many statements it has, and a single statement one", async () => {
  const { url, turns } = await startProxy();
  const far = await openDatabase(url);
  const turnsOf = async (count: number) => {
    turns.count = 0;
    await far.runAll(Array.from({ length: count }, (_, index) => setting(`${count}.${index}`)));
    return turns.count;
  };
  expect(await turnsOf(1)).toBe(1);
  expect(await turnsOf(4)).toBeLessThanOrEqual(3);
  // What is long may reach the server in several pieces.
  expect(await turnsOf(60)).toBeLessThan(10);
  await far.close();
  expect(await keys()).toHaveLength(65);
});

test("what only the commit finds wrong fails the list, and nothing of it is stored", async () => {
  await database().raw(`create table "late" ("key" text references "setting" ("key") deferrable initially deferred)`);
  const late = { sql: `insert into "late" ("key") values ('nobody')`, parameters: [] };
  try {
    await expect(database().runAll([setting("lost"), late])).rejects.toMatchObject({ code: "23503" });
    expect(await keys()).toEqual([]);
  } finally {
    await database().raw(`drop table "late"`);
  }
});

test("a list whose connection is lost in the middle is not stored, and the next one has another connection", async () => {
  const end = { sql: "select pg_terminate_backend(pg_backend_pid())", parameters: [] };
  await expect(database().runAll([setting("lost"), end, setting("lost too")])).rejects.toThrow();
  await database().runAll([setting("kept"), setting("kept too")]);
  expect(await keys()).toEqual([{ key: "kept" }, { key: "kept too" }]);
});
