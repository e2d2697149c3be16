import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { claimRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { addThread, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { createDispatcher, dispatcherOf } from "./dispatcher-of";
import type { HeldSegment, RunDispatcher, SegmentOutcome } from "./run-dispatcher";

const isPostgres = inject("testDatabase") === "postgresql";

/** How far the clock of this process is ahead of the time that its timers know. */
const clock = { aheadMs: 0 };
const now = performance.now.bind(performance);
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => now() + clock.aheadMs));
afterEach(() => void vi.restoreAllMocks());

/** One contract for both dispatchers: the file runs on SQLite and on Postgres. */
describe("a run dispatcher", () => {
  const { database, statusOf } = runDatabase();
  const opened: RunDispatcher[] = [];
  beforeEach(() => seedThread(database()));
  afterEach(async () => {
    for (const dispatcher of opened.splice(0)) await dispatcher.stop(0);
  });

  interface Worker {
    readonly dispatcher: RunDispatcher;
    /** In the order in which they were handed out. */
    readonly held: (HeldSegment & { finish(outcome?: SegmentOutcome): void })[];
    readonly tasks: unknown[];
  }

  /** Claims what it is handed, as a host does, and then waits to be told the outcome. */
  async function startWorker(owner: string, { slots = 8, runsPerUser = 20 } = {}): Promise<Worker> {
    const dispatcher = createDispatcher(database());
    opened.push(dispatcher);
    const worker: Worker = { dispatcher, held: [], tasks: [] };
    const segment = async (held: HeldSegment): Promise<SegmentOutcome> => {
      if (!(await claimRun(database(), { runId: held.runId, owner, isRetry: held.attempt > 0 }))) return "unclaimed";
      const ended = Promise.withResolvers<SegmentOutcome>();
      held.signal.addEventListener("abort", () => ended.resolve("requeue"));
      worker.held.push({ ...held, finish: (outcome = "done") => ended.resolve(outcome) });
      return ended.promise;
    };
    const task = async (name: string, data: unknown) => void worker.tasks.push([name, data]);
    await dispatcher.work({ segment, task }, { slots, runsPerUser });
    return worker;
  }

  const runIds = ({ held }: Worker) => held.map(({ runId }) => runId);
  const end = (id: string) =>
    database().run.update({ where: { id }, data: { status: "completed", endedAt: new Date() } });
  const start = async (threadId: string, ownerId = "u1") =>
    (await say(database(), "Hello", { threadId, ownerId })).runId;

  test("hands out the runs of one thread one after the other, in the order of the thread", async () => {
    const made = [await start("th1"), await start("th1"), await start("th1")];
    const worker = await startWorker("a");
    for (const [index, runId] of made.entries()) {
      await reached(() => worker.held.length === index + 1);
      await end(runId);
      worker.held[index]?.finish();
    }
    await reached(() => worker.held.length === 3);
    expect(runIds(worker)).toEqual(made);
  });

  test("a slot goes to who has fewer runs, however long the others' have waited", async () => {
    await database().user.create({ data: { id: "u2", name: "Bob", email: "bob@example.test" } });
    const made: string[] = [];
    for (const threadId of ["a", "b", "c", "d"]) {
      const ownerId = threadId === "d" ? "u2" : "u1";
      await addThread(database(), threadId, { ownerId });
      made.push(await start(threadId, ownerId));
    }
    const [a = "", b, c, d = ""] = made;
    const worker = await startWorker("a", { slots: 2 });
    for (const [count, ended] of [d, b, c].entries()) {
      await reached(() => worker.held.length === count + 2);
      const segment = worker.held.find(({ runId }) => runId === ended);
      await end(segment?.runId ?? "");
      segment?.finish();
    }
    expect(runIds(worker).slice(0, 2).toSorted()).toEqual([a, d].toSorted());
    expect(runIds(worker).slice(2)).toEqual([b, c]);
  });

  test("runs no more of one user at once than are allowed", async () => {
    for (const threadId of ["a", "b", "c"]) {
      await addThread(database(), threadId);
      await start(threadId);
    }
    const worker = await startWorker("a", { runsPerUser: 2 });
    await reached(() => worker.held.length === 2);
    worker.dispatcher.wake();
    await database().raw("select 1");
    expect(worker.held).toHaveLength(2);
    await end(worker.held[0]?.runId ?? "");
    worker.held[0]?.finish();
    await reached(() => worker.held.length === 3);
  });

  test("runs no more of one user at once, also when nothing waits and a new run could start at once", async () => {
    await database().user.create({ data: { id: "u2", name: "Bob", email: "bob@example.test" } });
    for (const threadId of ["a", "b"]) await addThread(database(), threadId);
    await addThread(database(), "c", { ownerId: "u2" });
    const worker = await startWorker("a", { runsPerUser: 1 });
    const hint = async (threadId: string, ownerId: string) => {
      const runId = await start(threadId, ownerId);
      worker.dispatcher.wake({ runId, ownerId });
      return runId;
    };
    const first = await hint("a", "u1");
    await reached(() => worker.held.length === 1);
    const second = await hint("b", "u1");
    // What would have been taken before it is taken by the time that the other person's run is.
    const other = await hint("c", "u2");
    await reached(() => runIds(worker).includes(other));
    expect(runIds(worker)).toEqual([first, other]);
    await end(first);
    worker.held[0]?.finish();
    await reached(() => worker.held.length === 3);
    expect(runIds(worker)).toEqual([first, other, second]);
  });

  test("a run that is cancelled while it is queued is not handed out, and the next of its thread is", async () => {
    const [first, second] = [await start("th1"), await start("th1")];
    await cancelRun(database(), first, "u1");
    const worker = await startWorker("a");
    await reached(() => worker.held.length === 1);
    expect(runIds(worker)).toEqual([second]);
    expect(await statusOf(first)).toBe("cancelled");
  });

  test("a run that is queued again while its last segment is being completed gets its next one", async () => {
    const runId = await start("th1");
    const worker = await startWorker("a");
    await reached(() => worker.held.length === 1);
    // The run waited and was decided on before the dispatcher learned of the segment's end.
    await database().run.update({ where: { id: runId }, data: { status: "queued", segment: 1 } });
    const statements = await dispatcherOf(database()).dispatch([{ id: runId, ownerId: "u1", segment: 1 }]);
    if (statements.length > 0) await database().runAll(statements);
    worker.held[0]?.finish();
    await reached(() => worker.held.length === 2);
    expect(runIds(worker)).toEqual([runId, runId]);
  });

  test("a segment whose process died is handed to another as a retry", async () => {
    const runId = await start("th1");
    await database().run.update({ where: { id: runId }, data: { status: "running", leaseOwner: "dead", epoch: 1 } });
    await takeJobsOfDeadWorkers(database());
    const worker = await startWorker("b");
    await reached(() => worker.held.length === 1);
    expect(worker.held[0]).toMatchObject({ runId, attempt: 1 });
    expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ leaseOwner: "b", takeovers: 1 });
  });

  test("a process that stops gives its segments back at once", async () => {
    const runId = await start("th1");
    const first = await startWorker("a");
    await reached(() => first.held.length === 1);
    await first.dispatcher.stop(0);
    const second = await startWorker("b");
    await reached(() => second.held.length === 1);
    expect(second.held[0]).toMatchObject({ runId, attempt: 1 });
    expect(first.held[0]?.signal.aborted).toBe(true);
  });

  test("a run is found although nobody was told of it", async () => {
    const worker = await startWorker("a");
    await start("th1");
    await reached(() => worker.held.length === 1);
  });

  test("a timer rings once, with the data that was set last", async () => {
    const worker = await startWorker("a");
    const timer = { name: "alarm", task: "ring", at: new Date(Date.now() + 1_000) };
    for (const data of [{ bell: 1 }, { bell: 2 }]) {
      await database().runAll(await dispatcherOf(database()).schedule({ ...timer, data }));
    }
    await reached(() => worker.tasks.length > 0);
    expect(worker.tasks).toEqual([["ring", { bell: 2 }]]);
    await worker.dispatcher.stop(0);
    expect(await database().timer.count()).toBe(0);
  });

  test("of many timers that are due at once each rings once, and none is left", async () => {
    const worker = await startWorker("a");
    const names = Array.from({ length: 120 }, (_, index) => `alarm ${index}`);
    for (const name of names) {
      const timer = { name, task: "ring", at: new Date(), data: { name } };
      await database().runAll(await dispatcherOf(database()).schedule(timer));
    }
    worker.dispatcher.wake();
    await reached(() => worker.tasks.length >= names.length);
    await worker.dispatcher.stop(1_000);
    expect(worker.tasks.map((task) => (task as [string, { name: string }])[1].name).toSorted()).toEqual(
      names.toSorted(),
    );
    expect(await database().timer.count()).toBe(0);
  });

  test("a timer that is begun as soon as it is stored rings once, and is not left", async () => {
    const worker = await startWorker("a");
    const timer = { name: "alarm", task: "ring", at: new Date(), data: { bell: 1 } };
    await database().runAll(await dispatcherOf(database()).schedule(timer));
    worker.dispatcher.begin(timer);
    await reached(() => worker.tasks.length > 0);
    worker.dispatcher.wake();
    await worker.dispatcher.stop(1_000);
    expect(worker.tasks).toEqual([["ring", { bell: 1 }]]);
    expect(await database().timer.count()).toBe(0);
  });

  test("a run that could not begin because another one of its thread was running begins when that one ends", async () => {
    const worker = await startWorker("a");
    const first = await start("th1");
    worker.dispatcher.wake({ runId: first, ownerId: "u1" });
    await reached(() => worker.held.length === 1);
    const second = await start("th1");
    worker.dispatcher.wake({ runId: second, ownerId: "u1" });
    await end(first);
    worker.held[0]?.finish();
    await reached(() => worker.held.length === 2);
    expect(runIds(worker)).toEqual([first, second]);
  });

  test("a task that was cut off by the end of its process is done by the next one", async () => {
    const started = Promise.withResolvers<void>();
    const first = createDispatcher(database());
    opened.push(first);
    const task = (_name: string, _data: unknown, signal: AbortSignal) => {
      started.resolve();
      return new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    await first.work({ segment: async () => "done", task }, { slots: 1, runsPerUser: 1 });
    const timer = { name: "compaction", task: "compact", at: new Date(), data: { threadId: "th1" } };
    await database().runAll(await dispatcherOf(database()).schedule(timer));
    first.wake();
    await started.promise;
    await first.stop(0);
    // A restart is no failed attempt; on Postgres each fetch counts, of which a task has 20.
    if (!isPostgres) expect(await database().timer.findMany()).toMatchObject([{ attempts: 0 }]);
    const second = await startWorker("b");
    await reached(() => second.tasks.length === 1);
    expect(second.tasks).toEqual([["compact", { threadId: "th1" }]]);
  });

  test.runIf(isPostgres)("a frozen process learns at its next beat that its segment was taken", async () => {
    await start("th1");
    const frozen = await startWorker("a");
    await reached(() => frozen.held.length === 1);
    await takeJobsOfDeadWorkers(database());
    const other = await startWorker("b");
    await reached(() => frozen.held.length + other.held.length === 2);
    await reached(() => frozen.held[0]?.signal.aborted === true);
    expect(frozen.held[0]?.signal.reason).toMatchObject({ name: "LeaseLost" });
  });

  test.runIf(isPostgres)("nobody is taken for dead while the database was away for all", async () => {
    await start("th1");
    const holding = await startWorker("a");
    await reached(() => holding.held.length === 1);
    const other = await startWorker("b");
    // Both heard nothing from the database for a while, and so nobody renewed anything.
    await database().raw("update pgboss.job set heartbeat_on = now() - interval '20 seconds' where state = 'active'");
    clock.aheadMs += 10_000;
    const renewed = () =>
      database().raw(`select retry_count as "retries" from pgboss.job where name = 'segment.v1'
        and heartbeat_on > now() - interval '5 seconds'`);
    await reached(async () => (await renewed()).length > 0);
    expect(await renewed()).toEqual([{ retries: 0 }]);
    expect(holding.held[0]?.signal.aborted).toBe(false);
    expect(other.held).toEqual([]);
  });

  test.runIf(isPostgres)(
    "a process that died while the database was away is taken for dead a little later",
    async () => {
      const runId = await start("th1");
      await database().run.update({ where: { id: runId }, data: { status: "running", leaseOwner: "dead", epoch: 1 } });
      await database().raw(`update pgboss.job set state = 'active', started_on = now(),
      heartbeat_on = now() - interval '20 seconds' where name = 'segment.v1'`);
      const worker = await startWorker("a");
      clock.aheadMs += 10_000;
      await reached(() => worker.held.length === 1);
      expect(worker.held[0]).toMatchObject({ runId, attempt: 1 });
    },
  );

  test.runIf(isPostgres)("a dead worker's job for an ended segment does not take over the next segment", async () => {
    const runId = await start("th1");
    const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
    await database().raw(`update pgboss.job set state = 'active', started_on = now() where name = 'segment.v1'`);
    await takeJobsOfDeadWorkers(database());
    await database().run.update({ where: { id: runId }, data: { segment: 1 } });
    await database().runAll(await dispatcherOf(database()).dispatch([{ ...run, segment: 1 }]));
    const worker = await startWorker("a");
    const countOld = () =>
      database().raw(`select 1 from pgboss.job where "singleton_key" = $1 and state = 'completed'`, [`${runId}:0`]);
    await reached(async () => worker.held.length > 0 && (await countOld()).length === 1);
    expect(worker.held.map(({ attempt }) => attempt)).toEqual([0]);
    expect((await database().run.findUniqueOrThrow({ where: { id: runId } })).epoch).toBe(1);
  });

  test.runIf(isPostgres)("a run that has no job is given one", async () => {
    const runId = await start("th1");
    await database().raw("delete from pgboss.job");
    const worker = await startWorker("a");
    await database().raw(
      `insert into pgboss.job (name, data, policy) values ('task.v1', '{"task": "reconcile", "data": {}}', 'standard')`,
    );
    await reached(() => worker.held.length === 1);
    expect(runIds(worker)).toEqual([runId]);
  });
});
