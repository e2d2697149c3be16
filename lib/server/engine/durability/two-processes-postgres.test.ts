import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { isTerminal } from "@/lib/server/engine/log/read-events";
import { type FeedEvent, onExtensionsElsewhere, onFeedEvent } from "@/lib/server/engine/log/signals";
import { followRun } from "@/lib/server/views/follow-run";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { readText } from "@/lib/testing/files/test-workspace";
import { addThread, runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { appendNotes, sharedWorkspace, tryToStartChild } from "@/lib/testing/processes/shared-work";
import { startProcess, type TestProcess } from "@/lib/testing/processes/start-process";

const { database, url, statusOf } = runDatabase();

let other: TestProcess;
let notifier: PostgresNotifier;

beforeEach(async () => {
  await seedThread(database(), { subagents: [{ name: "worker", prompt: "You work." }] });
  notifier = new PostgresNotifier(database());
  await notifier.start();
  other = startProcess("lib/testing/processes/remote-host.ts", url());
  expect(await other.nextLine()).toBe("ready");
});

afterEach(async () => {
  vi.useRealTimers();
  other.tell("end");
  await other.ended;
  await notifier.close();
});

/** A run in the other process that has said "first". */
async function startThere(threadId = "th1"): Promise<string> {
  other.tell(`start ${threadId}`);
  return other.nextLine();
}

/** Reads the run and tells the other process to continue as soon as its first word has arrived. */
async function readToEnd(runId: string): Promise<string> {
  let text = "";
  for await (const rows of followRun(servicesOf(database()), runId, 0, new AbortController().signal)) {
    for (const { event } of rows) if (event.type === "text.delta") text += event.delta;
    if (text === "first ") other.tell("go");
    if (rows.some(isTerminal)) break;
  }
  return text;
}

test("a reader is notified of the rows of another process: it needs no timer of its own", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  expect(await readToEnd(await startThere())).toBe("first second");
});

test("a run is stopped from another process at once, and both know by whom", async () => {
  const runId = await startThere();
  await cancelRun(database(), runId, "u1");
  await vi.waitUntil(async () => (await statusOf(runId)) === "cancelled", { timeout: 30_000, interval: 5 });
  expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ cancelledBy: "u1" });
});

test("the pages of a user hear what another process does with their runs", async () => {
  const heard: (FeedEvent | null)[] = [];
  const stop = onFeedEvent("u1", (event) => heard.push(event));
  const runId = await startThere();
  other.tell("go");
  await vi.waitUntil(
    () => heard.some((event) => event?.type === "run.changed" && event.status === "completed"),
    30_000,
  );
  stop();
  expect(heard).toContainEqual({ type: "run.changed", threadId: "th1", runId, status: "completed" });
});

test("extensions that another process has loaded again are loaded here too", async () => {
  const heard = new Promise<void>((resolve) => onExtensionsElsewhere(resolve));
  other.tell("reload");
  await heard;
});

test("a lost connection is reopened: readers check again, and later notifications arrive", async () => {
  const gap = new Promise((resolve) => onFeedEvent("u1", (event) => event === null && resolve(event)));
  const listening = `"query" like 'LISTEN%' or "query" like 'select pg_notify%'`;
  await database().raw(
    `select pg_terminate_backend("pid") from "pg_stat_activity" where "datname" = current_database() and (${listening})`,
  );
  await gap;
  await addThread(database(), "th2");
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  expect(await readToEnd(await startThere("th2"))).toBe("first second");
});

test.each(["rows", "a folder"])("no note is lost when two processes append to one page in %s", async (kind) => {
  const folder = kind === "rows" ? "" : path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-notes-")), "files");
  await database().workspace.create({ data: { id: "ws1", agentId: "agent", scopeKey: "agent" } });
  other.tell(`append ${folder}`);
  await appendNotes(database(), "here", 20, folder);
  expect(await other.nextLine()).toBe("done");
  const page = await readText(sharedWorkspace(database(), folder), "memory/197001/19700101.md");
  const notes = page.split("\n").filter((line) => /^(here|there)-/.test(line));
  expect(notes.toSorted()).toEqual(
    ["here", "there"].flatMap((who) => Array.from({ length: 20 }, (_, number) => `${who}-${number}`)).toSorted(),
  );
  if (folder !== "") rmSync(path.dirname(folder), { recursive: true });
});

test("two processes together start no more subagents of one run than may be running at once", async () => {
  await addBusyRun("busy");
  // Both get as far as they can while nobody can add a thread, the first thing a new subagent needs.
  const gate = new pg.Client({ connectionString: url() });
  await gate.connect();
  await gate.query('begin; lock table "thread" in exclusive mode');
  other.tell("child busy");
  const here = tryToStartChild(database(), "here", "busy");
  const blocked = `select 1 from "pg_stat_activity" where "datname" = current_database() and "wait_event_type" = 'Lock'`;
  await vi.waitUntil(async () => (await database().raw(blocked)).length === 1, { timeout: 30_000, interval: 5 });
  await gate.end();
  await here;
  expect(await other.nextLine()).toBe("done");
  expect(await database().run.count({ where: { rootRunId: "busy", endedAt: null } })).toBe(8);
});

/** A run with seven active subagents: two of its own and five of the first of them. */
async function addBusyRun(root: string): Promise<void> {
  await addThread(database(), root);
  const { id: agentVersionId } = await database().agentVersion.findFirstOrThrow();
  const shared = { threadId: root, ownerId: "u1", agentId: "agent", agentVersionId, traceId: root, status: "running" };
  const input = JSON.stringify({ messages: [], transcriptPosition: 1 });
  await database().run.create({ data: { ...shared, id: root, input, assistantMessageId: root } });
  for (let number = 0; number < 7; number += 1) {
    const [id, isOwn] = [`${root}-${number}`, number < 2];
    const parentRunId = isOwn ? root : `${root}-0`;
    const child = { parentRunId, rootRunId: root, parentToolCallId: id, depth: isOwn ? 1 : 2 };
    await database().run.create({ data: { ...shared, ...child, id, input, assistantMessageId: id } });
  }
}
