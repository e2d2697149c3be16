import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { LeaseLost } from "@/lib/server/engine/lease-lost";
import type { InsertedEvents } from "@/lib/server/platform/db/queries/run-events";
import { type EventRow, EventWriter, type InsertRows } from "./event-writer";
import { StoredRunLog } from "./run-log";

let batches: EventRow[][];
let announced: StoredRunEvent[];
let durabilities: string[];

beforeEach(() => {
  batches = [];
  announced = [];
  durabilities = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const inserted = (stored: ReadonlySet<string>, locked: ReadonlySet<string> = new Set()) => ({ stored, locked });

const store: InsertRows = async (rows, durability) => {
  batches.push([...rows]);
  durabilities.push(durability);
  return inserted(new Set(rows.map(({ runId }) => runId)));
};

function openLog(insert: InsertRows = store, runId = "run_1", writer = newWriter(insert)) {
  const failures: unknown[] = [];
  const log = new StoredRunLog({
    runId,
    epoch: 1,
    lastSeq: 0,
    writer,
    now: () => 7,
    onFailure: (e) => failures.push(e),
  });
  return { log, failures, writer };
}

function newWriter(insert: InsertRows): EventWriter {
  const isBusy = (error: unknown) => error instanceof Error && error.message === "busy";
  return new EventWriter(insert, (_, rows) => announced.push(...rows), isBusy);
}

const text = (delta: string) => ({ type: "text.delta", step: 1, delta }) as const;
const deltas = () => batches.flat().map(({ event }) => ("delta" in event ? event.delta : event.type));
const settle = async (ms = 3) => {
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("the first delta of a part is stored at once, what follows in one row after 50 ms", async () => {
  const { log } = openLog();
  log.emit(text("a"));
  await settle();
  expect(deltas()).toEqual(["a"]);
  for (const delta of ["b", "c", "d"]) log.emit(text(delta));
  await settle(40);
  expect(deltas()).toEqual(["a"]);
  await settle(20);
  expect(deltas()).toEqual(["a", "bcd"]);
});

test("32 KB of deltas do not wait for the clock", async () => {
  const { log } = openLog();
  log.emit(text("a"));
  log.emit(text("x".repeat(32_768)));
  await settle();
  expect(deltas()).toHaveLength(2);
});

test("another event stores the open delta before itself, in order and without gaps", async () => {
  const { log } = openLog();
  for (const delta of ["a", "b"]) log.emit(text(delta));
  log.emit({ type: "reasoning.delta", step: 1, delta: "r" });
  log.emit({ type: "tool.input", step: 1, toolCallId: "c", name: "ls" });
  await log.commit("normal");
  expect(deltas()).toEqual(["a", "b", "r", "tool.input"]);
  expect(batches.flat().map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test("deltas of two calls are not merged", async () => {
  const { log } = openLog();
  for (const toolCallId of ["c1", "c1", "c2", "c2"]) log.emit({ type: "tool.delta", step: 1, toolCallId, delta: "x" });
  await log.commit("normal");
  const calls = batches.flat().map(({ event }) => event.type === "tool.delta" && event.toolCallId);
  expect(calls).toEqual(["c1", "c1", "c2", "c2"]);
  for (let count = 0; count < 5; count += 1) log.emit({ type: "tool.delta", step: 2, toolCallId: "c1", delta: "y" });
  await log.commit("normal");
  expect(deltas().slice(4)).toEqual(["y", "yyyy"]);
});

test("a character that is cut between two deltas stays whole", async () => {
  const { log } = openLog();
  log.emit(text("a"));
  log.emit(text("x\ud83d"));
  await settle(60);
  log.emit(text("\ude00y"));
  await log.commit("normal");
  expect(deltas()).toEqual(["a", "x", "\u{1f600}y"]);
});

test("a commit waits until its rows are stored, fully when asked", async () => {
  const { log } = openLog();
  log.emit(text("a"));
  await log.commit("full");
  expect(durabilities).toEqual(["full"]);
  expect(announced.map(({ seq }) => seq)).toEqual([1]);
});

test("what is stored without waiting shares one statement with a commit that follows at once", async () => {
  const { log } = openLog();
  log.emit({ type: "tool.intent", step: 1, toolCallIds: ["c1"] });
  log.store();
  log.emit(text("a"));
  await log.commit("normal");
  expect(batches.map((rows) => rows.length)).toEqual([2]);
});

test("what is stored without waiting is stored though no commit follows, and its failure stops the run", async () => {
  const { log } = openLog();
  log.emit({ type: "tool.intent", step: 1, toolCallIds: ["c1"] });
  log.store();
  await settle(0);
  expect(deltas()).toEqual(["tool.intent"]);
  const lost = openLog(async () => inserted(new Set()));
  lost.log.emit({ type: "tool.intent", step: 1, toolCallIds: ["c1"] });
  lost.log.store();
  await settle(0);
  expect(lost.failures).toEqual([expect.any(LeaseLost)]);
});

test("the rows of all runs of one tick are one statement", async () => {
  const { log, writer } = openLog();
  const other = openLog(store, "run_2", writer).log;
  log.emit(text("a"));
  other.emit(text("b"));
  await Promise.all([log.commit("normal"), other.commit("normal")]);
  expect(batches).toHaveLength(1);
});

test("a lost lease stops one run and leaves its neighbours alone; nothing unstored is announced", async () => {
  const fenced: InsertRows = async (rows) =>
    inserted(new Set(rows.map(({ runId }) => runId).filter((id) => id !== "run_1")));
  const { log, failures, writer } = openLog(fenced);
  const other = openLog(fenced, "run_2", writer).log;
  log.emit(text("a"));
  other.emit(text("b"));
  const [lost, kept] = await Promise.allSettled([log.commit("normal"), other.commit("normal")]);
  expect(lost).toMatchObject({ status: "rejected", reason: expect.any(LeaseLost) });
  expect(kept.status).toBe("fulfilled");
  expect(failures).toHaveLength(1);
  expect(announced.map(({ runId }) => runId)).toEqual(["run_2"]);
});

test("the rows of a run whose row is locked are stored in order when it is free, and other runs do not wait", async () => {
  let isFree = false;
  const holding: InsertRows = async (rows, durability) => {
    const free = rows.filter(({ runId }) => isFree || runId !== "run_1");
    const { stored } = await store(free, durability);
    return inserted(stored, new Set(rows.filter((row) => !free.includes(row)).map(({ runId }) => runId)));
  };
  const { log, writer } = openLog(holding);
  const other = openLog(holding, "run_2", writer).log;
  for (const each of [log, other]) each.emit(text("a"));
  const committed = log.commit("normal");
  await other.commit("normal");
  log.emit(text("b"));
  await settle(60);
  other.emit({ type: "reasoning.delta", step: 1, delta: "c" });
  await other.commit("normal");
  expect(announced.map(({ runId }) => runId)).toEqual(["run_2", "run_2"]);
  isFree = true;
  for (let turn = 0; turn < 3; turn++) await settle(500);
  await committed;
  expect(announced.filter(({ runId }) => runId === "run_1").map(({ seq }) => seq)).toEqual([1, 2]);
});

test("what a run writes while its earlier rows are found to be locked is stored after them", async () => {
  const first = Promise.withResolvers<void>();
  const sent: number[][] = [];
  const lockedTwice: InsertRows = async (rows, durability) => {
    sent.push(rows.map(({ seq }) => seq));
    if (sent.length === 1) await first.promise;
    return sent.length > 2 ? store(rows, durability) : inserted(new Set(), new Set(["run_1"]));
  };
  const { log } = openLog(lockedTwice);
  log.emit(text("a"));
  await settle();
  log.emit({ type: "reasoning.delta", step: 1, delta: "b" });
  const committed = log.commit("normal");
  first.resolve();
  for (let turn = 0; turn < 3; turn++) await settle(500);
  await committed;
  expect(sent).toEqual([[1], [1, 2], [1, 2]]);
  expect(announced.map(({ seq }) => seq)).toEqual([1, 2]);
});

test("a busy database is tried again; a full disk fails the run at once", async () => {
  let attempts = 0;
  const busyTwice: InsertRows = async (rows, durability) => {
    if (++attempts <= 2) throw new Error("busy");
    return store(rows, durability);
  };
  const { log } = openLog(busyTwice);
  log.emit(text("a"));
  const committed = log.commit("normal");
  for (let turn = 0; turn < 3; turn++) await settle(100);
  await committed;
  expect(attempts).toBe(3);
  const full = openLog(() => Promise.reject(new Error("database or disk is full")));
  full.log.emit(text("a"));
  await expect(full.log.commit("normal")).rejects.toThrow("disk is full");
  expect(full.failures).toHaveLength(1);
});

test("only a few of a crowd of runs continue in each turn, every one after its rows were announced", async () => {
  const writer = newWriter(store);
  const done: string[] = [];
  const runs = Array.from({ length: 20 }, (_, index) => {
    const { log } = openLog(store, `run_${index}`, writer);
    log.emit(text("a"));
    return log.commit("normal").then(() => {
      expect(announced.map(({ runId }) => runId)).toContain(`run_${index}`);
      done.push(`run_${index}`);
    });
  });
  await runs[0];
  expect(done.length).toBeLessThan(20);
  await Promise.all(runs);
  expect(done).toEqual(runs.map((_, index) => `run_${index}`));
  expect(batches).toHaveLength(1);
});

test("a batch that fails takes the later rows of its runs with it, and those of others are stored", async () => {
  const failing = Promise.withResolvers<InsertedEvents>();
  const stored: string[] = [];
  let calls = 0;
  const insert: InsertRows = async (rows) => {
    calls += 1;
    if (calls === 1) return failing.promise;
    stored.push(...rows.map(({ runId, seq }) => `${runId} ${seq}`));
    return { stored: new Set(rows.map(({ runId }) => runId)), locked: new Set() };
  };
  const writer = newWriter(insert);
  const row = (runId: string, seq: number) => {
    const event = { type: "text.delta", step: 1, delta: "x" } as const;
    return { runId, seq, epoch: 1, at: 0, event, data: JSON.stringify(event) };
  };
  const outcome = (runId: string, seq: number) =>
    writer.write(runId, [row(runId, seq)], "normal").then(
      () => "stored",
      (error: unknown) => String(error),
    );
  const first = outcome("a", 1);
  await settle();
  const [second, other] = [outcome("a", 2), outcome("b", 1)];
  failing.reject(new Error("no room"));
  await settle();
  expect(await Promise.all([first, second, other])).toEqual(["Error: no room", "Error: no room", "stored"]);
  expect(stored).toEqual(["b 1"]);
});
