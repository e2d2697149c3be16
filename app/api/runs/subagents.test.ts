import { expect, test } from "vitest";
import { GET as changedFiles } from "@/app/api/threads/[threadId]/files/changed/route";
import { publishChange } from "@/lib/server/agents/publish-version";
import { getThread } from "@/lib/server/threads/get-thread";
import { listThreads } from "@/lib/server/threads/list/list-threads";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { DELEGATES, resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";
import { POST as cancel } from "./[runId]/cancel/route";
import { GET as getRun } from "./[runId]/route";
import { GET as stream } from "./[runId]/stream/route";
import { GET as transcript } from "./[runId]/transcript/route";

const { start, use, say, follow, rowOf, childrenOf } = subagentTests();

test("text that no database accepts is removed from a subagent's task", async () => {
  const prompt = "find it";
  await start({ ...DELEGATES, go: [{ calls: [task(`find\u0000 it`)] }, { text: "done" }] });
  const runId = await say("go");
  expect(resultsOf(await follow(runId))).toEqual(["I looked.\nIt is 42."]);
  const [child] = await childrenOf(runId);
  const shown = await use().server.call(transcript, { as: "member", params: { runId: child?.id ?? "" } });
  expect(await shown.json()).toMatchObject({ title: `Look: ${prompt}`, messages: [{ parts: [{ text: prompt }] }, {}] });
});

test("a subagent answers in its own run: own transcript, spans in the parent's trace, its usage counted", async () => {
  await start(DELEGATES);
  const runId = await say("go");
  const sent = await follow(runId);
  expect(resultsOf(sent)).toEqual(["I looked.\nIt is 42."]);
  expect(sent.map(({ event }) => event)).toContain("subagent.started");
  expect(sent.find(({ event }) => event === "subagent.completed")).toMatchObject({
    name: "worker",
    status: "completed",
    last_line: "It is 42.",
    usage: { input_tokens: 1_000, output_tokens: 50 },
  });
  const [child] = await childrenOf(runId);
  const parent = await rowOf(runId);
  expect(child).toMatchObject({ status: "completed", depth: 1, traceId: parent.traceId, agentId: "worker" });
  expect(parent.inputTokens).toBeGreaterThanOrEqual(1_100);
  const trace = await use().server.database.trace.findUniqueOrThrow({ where: { id: parent.traceId } });
  expect(trace).toMatchObject({ runId, inputTokens: parent.inputTokens, outputTokens: parent.outputTokens });

  const { span: stored } = use().server.database;
  const roots = { traceId: parent.traceId, type: "agent", endedAt: { not: null } };
  await reached(async () => (await stored.count({ where: roots })) === 2);
  expect(await stored.count({ where: { traceId: parent.traceId, endedAt: null } })).toBe(0);
  const root = await stored.findFirstOrThrow({ where: { runId: child?.id, type: "agent" } });
  const above = await stored.findUniqueOrThrow({ where: { id: root.parentId ?? "" } });
  expect([above.name, above.runId, above.traceId]).toEqual(["tool.call", runId, root.traceId]);

  const shown = await use().server.call(transcript, { as: "member", params: { runId: child?.id ?? "" } });
  expect(await shown.json()).toMatchObject({
    title: "Look: find it",
    askedBy: "Boss",
    messages: [
      { role: "user", parts: [{ text: "find it" }] },
      { role: "assistant", parts: [{}, { text: "I looked.\nIt is 42." }] },
    ],
  });
  expect((await use().server.call(transcript, { as: "viewer", params: { runId: child?.id ?? "" } })).status).toBe(404);
  const live = await use().server.call(stream, { as: "member", params: { runId: child?.id ?? "" } });
  expect(await live.text()).toContain("It is 42.");
  expect(
    (await listThreads(processServices().database, { id: "member" }, { limit: 50, archived: false })).threads.map(
      ({ id }) => id,
    ),
  ).toEqual([use().threadId]);
  const thread = await getThread(processServices(), use().threadId, { id: "member" });
  expect(thread.messages).toHaveLength(2);
  expect(thread.messages[1]?.parts).toContainEqual(
    expect.objectContaining({
      type: "data-subagent",
      data: expect.objectContaining({ runId: child?.id, status: "completed", lastLine: "It is 42.", tokens: 1_050 }),
    }),
  );
});

async function* readLines(response: Response): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Reads until a line matches; false at the end. */
async function firstMatch(lines: AsyncGenerator<string>, pattern: RegExp): Promise<boolean> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return false;
    if (pattern.test(value)) return true;
  }
}

test("a parent releases its run while its subagent takes long, shows as running, and continues with the answer", async () => {
  const gate = Promise.withResolvers<void>();
  await start({
    ...DELEGATES,
    "find it": [
      { text: "Looking", calls: [{ name: "write_todos", args: { todos: [] } }] },
      { text: "Slow but 42.", gate: gate.promise },
    ],
  });
  const runId = await say("go");
  await reached(async () => (await rowOf(runId)).status === "waiting");
  expect(await rowOf(runId)).toMatchObject({ waitingFor: "child", leaseOwner: null });
  const shown = await use().server.call(getRun, { as: "member", params: { runId } });
  expect(await shown.json()).toMatchObject({ status: "running", waitingFor: "child" });
  expect((await getThread(processServices(), use().threadId, { id: "member" })).status).toBe("running");
  const live = await use().server.call(stream, { as: "member", params: { runId } });
  const lines = readLines(live);
  expect(await firstMatch(lines, /"status":"running","lastLine":"write_todos","calls":1/)).toBe(true);
  gate.resolve();
  expect(resultsOf(await follow(runId))).toEqual(["Slow but 42."]);
  expect(await firstMatch(lines, /"status":"completed","lastLine":"Slow but 42.","calls":1/)).toBe(true);
  expect(await rowOf(runId)).toMatchObject({ status: "completed", segment: 1, waitingFor: null });
  const [child, ...others] = await childrenOf(runId);
  expect(others).toEqual([]);
  const durationMs = (child?.endedAt?.getTime() ?? 0) - (child?.startedAt?.getTime() ?? 0);
  const { messages } = await getThread(processServices(), use().threadId, { id: "member" });
  const card = expect.objectContaining({ type: "data-subagent", data: expect.objectContaining({ durationMs }) });
  expect(messages.at(-1)?.parts).toContainEqual(card);
});

test("five subagents of one reply run at the same time; the sixth is refused and learns what to do", async () => {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  await start({
    go: [{ calls: [1, 2, 3, 4, 5, 6].map((n) => task(`part ${n}`)) }, { text: "Done." }],
    ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`part ${n}`, [{ text: `did ${n}`, gate: all.promise }]])),
  });
  const runId = await say("go");
  await reached(() => {
    asked = use().server.provider.requests.length;
    return asked === 6;
  });
  all.resolve();
  const results = resultsOf(await follow(runId));
  expect(results.filter((text) => /^did \d$/.test(String(text)))).toHaveLength(5);
  expect(
    results.filter((text) => /can start 5 subagents, and this one has\. Continue with/.test(String(text))),
  ).toHaveLength(1);
});

test("at most eight subagents of one root run are running at once", async () => {
  const gate = Promise.withResolvers<void>();
  const parts = ["a", "b", "c", "d"];
  const slow = (names: readonly string[]) => names.map((name) => [name, [{ text: "ok", gate: gate.promise }]]);
  await start({
    go: [{ calls: [...parts.map((name) => task(name)), task("more", { agent: "boss" })] }, { text: "Done." }],
    more: [{ calls: ["e", "f", "g", "h"].map((name) => task(name)) }, { text: "Done." }],
    ...Object.fromEntries(slow([...parts, "e", "f", "g", "h"])),
  });
  const runId = await say("go");
  await reached(async () => (await use().server.database.run.count({ where: { depth: 2, status: "running" } })) === 3);
  gate.resolve();
  await follow(runId);
  const boss = (await childrenOf(runId)).find(({ agentId }) => agentId === "boss");
  const results = resultsOf(await follow(boss?.id ?? ""));
  expect(
    results.filter((text) => /8 subagents are running, which is the limit.* Try again when/.test(String(text))),
  ).toHaveLength(1);
});

test("subagents are nested three deep, the fourth level is refused", async () => {
  await start({ down: [{ calls: [task("down", { agent: "boss" })] }, { text: "Level done." }] });
  await follow(await say("down"));
  const runs = await use().server.database.run.findMany({ orderBy: { depth: "asc" } });
  expect(runs.map(({ depth, status }) => [depth, status])).toEqual([0, 1, 2, 3].map((depth) => [depth, "completed"]));
  expect(resultsOf(await follow(runs[3]?.id ?? ""))).toEqual([
    expect.stringMatching(/nested 3 deep.* Do the work yourself/),
  ]);
  expect(runs[0]?.inputTokens).toBeGreaterThan(runs[3]?.inputTokens ?? 0);
});

test("files of a subagent with its own workspace are not among those of the thread", async () => {
  await start({
    ...DELEGATES,
    "find it": [{ calls: [{ name: "write_file", args: { path: "mine.txt", content: "x" } }] }, { text: "Wrote it." }],
  });
  const raw = { name: "Worker", model: "scripted:m", retries: 0, backend: { type: "state" } };
  await publishChange(processServices(), "worker", () => raw, { createdById: null });
  expect(resultsOf(await follow(await say("go")))).toEqual(["Wrote it."]);
  expect(await use().server.database.fileVersion.count({ where: { path: "mine.txt" } })).toBe(1);
  const params = { threadId: use().threadId };
  expect(await (await use().server.call(changedFiles, { as: "member", params })).json()).toEqual({ files: [] });
});

test.each([
  [79_999, "x".repeat(79_999)],
  [80_000, "x".repeat(80_000)],
  [80_001, `${"x".repeat(2_000)}\n\n... (truncated 76001 characters) ...\n\n${"x".repeat(2_000)}`],
])("an answer of %i characters reaches the parent as it should", async (length, result) => {
  await start({ ...DELEGATES, "find it": [{ text: "x".repeat(length) }] });
  expect(resultsOf(await follow(await say("go")))[0] === result).toBe(true);
  const sent = use().server.provider.requests.at(-1)?.body.messages?.at(-1)?.content;
  expect(sent === result).toBe(true);
});

test("a subagent that fails is an error result, and the parent continues", async () => {
  await start({ go: [{ calls: [task("unknown")] }, { text: "Too bad." }] });
  const runId = await say("go");
  expect(resultsOf(await follow(runId))).toEqual([
    expect.stringMatching(/^The subagent worker failed: .*not in the script/),
  ]);
  expect(await rowOf(runId)).toMatchObject({ status: "completed" });
});

test("an inline definition has its own prompt and tools and the files of its agent", async () => {
  await start({
    go: [
      { calls: [{ name: "write_file", args: { path: "note.txt", content: "secret 7" } }] },
      { calls: [task("read the note", { agent: "helper" })] },
      { text: "Done." },
    ],
    "read the note": [{ calls: [{ name: "read_file", args: { path: "note.txt" } }] }, { text: "It says 7." }],
  });
  const runId = await say("go");
  expect(resultsOf(await follow(runId)).at(-1)).toBe("It says 7.");
  const [child] = await childrenOf(runId);
  expect(resultsOf(await follow(child?.id ?? ""))[0]).toContain("secret 7");
  const asked = use().server.provider.requests.find(({ body }) => body.messages?.at(-1)?.content === "read the note");
  expect(asked?.body.messages?.[0]).toMatchObject({ role: "system", content: "You help." });
  expect(asked?.body.tools?.map((tool) => tool.function.name)).toEqual(["read_file"]);
});

test("stopping a run stops everything below it", async () => {
  const never = new Promise<void>(() => {});
  await start({
    go: [{ calls: [task("middle", { agent: "boss" })] }, { text: "never" }],
    middle: [{ calls: [task("deep", { background: false })] }, { text: "never" }],
    deep: [{ text: "never", gate: never }],
  });
  const runId = await say("go");
  await reached(async () => (await use().server.database.run.count({ where: { status: "waiting" } })) === 2);
  await use().server.call(cancel, { as: "member", params: { runId }, method: "POST" });
  await reached(async () => (await use().server.database.run.count({ where: { endedAt: null } })) === 0);
  expect(await use().server.database.run.count({ where: { status: "cancelled" } })).toBe(3);
  expect((await follow(runId)).at(-1)?.event).toBe("run.cancelled");
});
