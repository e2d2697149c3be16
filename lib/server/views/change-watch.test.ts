import type { Compilable, CompiledQuery } from "kysely";
import { expect, test, vi } from "vitest";
import { sqliteDialect } from "@/lib/server/platform/db/dialect";
import { claimRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { addThread, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { changeWatch } from "./change-watch";
import { followRun } from "./follow-run";

const { database } = runDatabase();

test("a thousand idle streams cost two statements each time", async () => {
  const asked: string[] = [];
  const execute = async (statement: Compilable | CompiledQuery) => {
    const { sql, parameters } = "sql" in statement ? statement : statement.compile();
    asked.push(sql);
    const ids = parameters.find((parameter) => String(parameter).startsWith("["));
    return (JSON.parse(String(ids)) as { id: string }[]).map(({ id }) => ({ id, status: "waiting" }));
  };
  const watch = changeWatch(servicesOf({ execute, dialect: sqliteDialect } as never));
  let told = 0;
  const tell = () => {
    told += 1;
  };
  const stops = Array.from({ length: 500 }, (_, index) => [
    watch.watchRun(`run ${index}`, tell),
    watch.watchThread(`thread ${index}`, tell),
  ]).flat();
  await vi.waitUntil(() => asked.length === 4, { timeout: 30_000 });
  expect(told).toBe(1_000);
  for (const stop of stops) stop();
});

test("a run and a thread that change without a notification are noticed, once for each change", async () => {
  await seedThread(database());
  await addThread(database(), "th2");
  const { runId } = await say(database(), "go");
  const told: string[] = [];
  const watch = changeWatch(servicesOf(database()));
  const stops = [
    watch.watchRun(runId, () => told.push("run")),
    watch.watchThread("th1", () => told.push("thread")),
    watch.watchThread("th2", () => told.push("other thread")),
  ];
  await reached(() => told.length === 3);
  told.length = 0;
  await claimRun(database(), { runId, owner: "another", isRetry: false });
  await database().thread.update({ where: { id: "th1" }, data: { compactionCount: 1 } });
  await reached(() => told.length === 2);
  expect(told.toSorted()).toEqual(["run", "thread"]);
  for (const stop of stops) stop();
});

test("a reader gets the rows of another process although it was told of none", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  const reader = followRun(servicesOf(database()), runId, 0, new AbortController().signal);
  const first = reader.next();
  // Simulates another process: nothing that it stores is announced here.
  await database().run.update({ where: { id: runId }, data: { status: "running" } });
  const event = { type: "model.started", step: 1, model: "m" };
  const row = { runId, seq: 1, epoch: 1, type: event.type, data: JSON.stringify(event), createdAt: new Date() };
  await database().runEvent.create({ data: row });
  expect((await first).value?.map(({ seq }: { seq: number }) => seq)).toEqual([1]);
  await reader.return(undefined);
});
