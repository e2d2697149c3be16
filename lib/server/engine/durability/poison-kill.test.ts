import { expect, test } from "vitest";
import { createTestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { type EndedProcess, runProcess } from "@/lib/testing/processes/start-process";

const MOST_KILLS = 8;

/** Starts one process after the other until the run has ended. */
async function runUntilEnded(between: number, lastStep: number) {
  const { database, url, close } = await createTestDatabase();
  await seedThread(database, { max_iterations: 50 });
  const host = (threadId: string) =>
    runProcess("lib/testing/processes/killable-poison.ts", url, threadId, String(between), String(lastStep));
  const ended: EndedProcess[] = [await host("th1")];
  while (ended.at(-1)?.signal === "SIGKILL" && ended.length <= MOST_KILLS) ended.push(await host(""));
  const run = await database.run.findFirstOrThrow();
  await close();
  return { run, kills: ended.length - 1, last: ended.at(-1) };
}

test("a run that kills every process that executes it ends after the fourth", { timeout: 110_000 }, async () => {
  const { run, kills, last } = await runUntilEnded(0, MOST_KILLS);
  expect(last).toMatchObject({ code: 0, errors: "" });
  expect([run.status, run.takeovers, kills]).toEqual(["interrupted", 4, 4]);
});

test("a run that finishes steps between the deaths of its processes goes on to its end", {
  timeout: 110_000,
}, async () => {
  const { run, kills, last } = await runUntilEnded(2, 16);
  expect(last).toMatchObject({ code: 0, errors: "" });
  expect([run.status, run.takeovers, kills]).toEqual(["completed", 5, 5]);
});
