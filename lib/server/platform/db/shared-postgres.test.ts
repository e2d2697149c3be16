import { expect, onTestFinished, test } from "vitest";
import { type RateLimit, takeRate } from "@/lib/server/http/rate-limit";
import { runDatabase } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { openDatabase } from "./database";
import { addToRate } from "./queries/rate-limits";

const { database } = runDatabase();

test("a hundred threads are locked at the same time", async () => {
  let locked = 0;
  const all = Promise.withResolvers<void>();
  const work = async () => {
    locked += 1;
    if (locked === 100) all.resolve();
    await all.promise;
  };
  await Promise.all(Array.from({ length: 100 }, (_, index) => database().exclusive(`thread ${index}`, work)));
  expect(await database().lock.count()).toBe(0);
});

test("what a process that died has locked is free when its time is over", async () => {
  await database().lock.create({ data: { key: "thread 1", owner: "dead", until: new Date(Date.now() - 1) } });
  expect(await database().exclusive("thread 1", async () => "done")).toBe("done");
});

test("no statement waits for ever: for a lock, for its own end, or for a transaction that somebody left open", async () => {
  const shown = async (name: string) => Object.values((await database().raw(`show ${name}`))[0] ?? {})[0];
  expect(await shown("lock_timeout")).toBe("5s");
  expect(await shown("statement_timeout")).toBe("1min");
  expect(await shown("idle_in_transaction_session_timeout")).toBe("30s");
});

test("attempts at several processes count together, in windows by the clock of the database", async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const rate: RateLimit = { name: "test", limit: 3, windowMs: 60_000 };
  const elsewhere = await openDatabase(server.databaseUrl);
  onTestFinished(() => elsewhere.close());
  await takeRate(server.services, rate, "ada");
  await addToRate(elsewhere, "test:ada", rate.windowMs);
  await takeRate(server.services, rate, "ada");
  await expect(takeRate(server.services, rate, "ada")).rejects.toMatchObject({
    code: "rate_limited",
    details: { retryAfterSeconds: 60 },
  });
  await elsewhere.raw(`update "rate_limit" set "endsAt" = (now() at time zone 'utc') - interval '1 second'`);
  await expect(takeRate(server.services, rate, "ada")).resolves.toBeUndefined();
});
