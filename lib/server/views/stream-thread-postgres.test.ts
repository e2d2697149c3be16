import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { createServices } from "@/lib/server/platform/services";
import { keepServices, processServices } from "@/lib/server/wiring/services";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { ended, ends, outline, started } from "@/lib/testing/fixtures/thread-stream-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { startProcess, type TestProcess } from "@/lib/testing/processes/start-process";
import { countEvents, readStream, type StreamReader } from "@/lib/testing/servers/read-thread-stream";
import { streamThread } from "./stream-thread";

const { database, url, startHost } = runDatabase();

let other: TestProcess;
let notifier: PostgresNotifier;
let reader: StreamReader;

beforeEach(async () => {
  await seedThread(database());
  keepServices(createServices(database()));
  notifier = new PostgresNotifier(database());
  await notifier.start();
  other = startProcess("lib/testing/processes/remote-host.ts", url());
  expect(await other.nextLine()).toBe("ready");
  reader = await follow();
});

afterEach(async () => {
  vi.useRealTimers();
  await reader.close();
  other.tell("end");
  await other.ended;
  await notifier.close();
  forgetProcessState("services");
});

async function follow(cursor: string | null = null): Promise<StreamReader> {
  const { signal } = new AbortController();
  return readStream(
    await streamThread(processServices(), { threadId: "th1", viewer: { id: "u1" } }, { cursor, signal }),
  );
}

const hasSaid =
  (word: string) =>
  (events: StreamReader["events"]): boolean =>
    events.some(({ data }) => data.includes(`"delta":"${word}"`));

async function startThere(): Promise<string> {
  other.tell("start th1");
  return other.nextLine();
}

test("runs of another process arrive by notification, with no timer of the reader's own", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const runs: string[] = [];
  for (const count of [1, 2]) {
    runs.push(await startThere());
    await vi.waitUntil(
      () => reader.events.filter(({ data }) => data.includes('"delta":"first "')).length === count,
      30_000,
    );
    other.tell("go");
    await vi.waitUntil(() => ends(count)(reader.events), 30_000);
  }
  expect(outline(reader)).toEqual(runs.flatMap((runId) => [started(runId), "text first second", ended()]));
});

test("a reader that hears nothing from other processes finds out by looking", async () => {
  await notifier.close();
  const runId = await startThere();
  await reader.until(hasSaid("first "));
  other.tell("go");
  await reader.until(ends(1));
  expect(outline(reader)).toEqual([started(runId), "text first second", ended()]);
});

test("a run whose process was killed continues in the same stream, also for a reader that reconnects after any event of it", async () => {
  await startThere();
  await reader.until(hasSaid("first "));
  other.kill();
  await other.ended;
  await takeJobsOfDeadWorkers(database());
  await startHost({ model: scriptedModel(["finished"]), beatMs: 10 });
  await reader.until(ends(1));
  expect(countEvents(reader.events, "run-start")).toBe(1);
  expect(reader.events.map(({ data }) => data).join()).toContain("reset-step");
  expect(outline(reader).at(-1)).toBe(ended());
  for (const [index, { id = null }] of reader.events.entries()) {
    if (id === null) continue;
    const rest = await follow(id);
    await rest.until(({ length }) => length >= reader.events.length - index - 1);
    expect(rest.events).toEqual(reader.events.slice(index + 1));
    await rest.close();
  }
});
