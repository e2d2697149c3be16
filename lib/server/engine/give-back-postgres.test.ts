import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { AppError } from "@/lib/schema/app-error";
import { eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { PostgresNotifier } from "./log/notify";

const { database, startHost } = runDatabase();
afterEach(() => vi.useRealTimers());

/** The connections over which this many processes hear each other. */
async function connectProcesses(count: number): Promise<void> {
  const notifiers = Array.from({ length: count }, () => new PostgresNotifier(database()));
  onTestFinished(async () => {
    for (const notifier of notifiers) await notifier.close();
  });
  for (const notifier of notifiers) await notifier.start();
}

const MISSING = "hooks.0: there is no such hook";

/** A host whose process lacks an extension of every agent; `built` counts the runs that it executes anyway. */
async function startLackingHost() {
  const built: string[] = [];
  const host = await startHost({
    model: scriptedModel([]),
    missingHere: () => MISSING,
    build: (run) => {
      built.push(run.id);
      throw new AppError("hook_failed", MISSING);
    },
  });
  return { host, built };
}

const rowOf = (id: string) => database().run.findUniqueOrThrow({ where: { id } });
const isGivenBack = (runId: string) =>
  reached(async () => {
    const { status, epoch } = await rowOf(runId);
    return status === "queued" && epoch === 1;
  });

test("a process that lacks an extension gives the run back at once, and another begins the same segment", async () => {
  await seedThread(database());
  await connectProcesses(2);
  const { host, built } = await startLackingHost();
  const { runId } = await say(database(), "Hello");
  await isGivenBack(runId);
  host.wake();
  await startHost({ model: scriptedModel(["Hello, Ada."]) });
  const events = await eventsToEnd(database(), runId);
  expect(events.filter(({ event }) => event.type === "run.started")).toHaveLength(1);
  expect(await rowOf(runId)).toMatchObject({ status: "completed", segment: 0, takeovers: 0, epoch: 2 });
  expect(built).toEqual([]);
});

test("a run that no other process takes within 15 s fails and says what is missing", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await seedThread(database());
  await connectProcesses(2);
  const { host } = await startLackingHost();
  const { runId } = await say(database(), "Hello");
  await isGivenBack(runId);
  vi.setSystemTime(Date.now() + 14_000);
  host.wake();
  await startHost({ model: scriptedModel([]), missingHere: () => MISSING });
  await reached(async () => (await rowOf(runId)).epoch === 2 && (await rowOf(runId)).status === "queued");
  vi.setSystemTime(Date.now() + 1_000);
  host.wake();
  await eventsToEnd(database(), runId);
  expect(await rowOf(runId)).toMatchObject({ status: "failed", errorMessage: MISSING, takeovers: 0, epoch: 3 });
});

test("the only process fails the run at once", async () => {
  await seedThread(database());
  await connectProcesses(1);
  const { built } = await startLackingHost();
  const { runId } = await say(database(), "Hello");
  await eventsToEnd(database(), runId);
  expect([built, await rowOf(runId)]).toMatchObject([[runId], { status: "failed", errorMessage: MISSING, epoch: 1 }]);
});
