import { afterEach, beforeAll, expect, test } from "vitest";
import { GET as getRead } from "@/app/api/traces/[traceId]/read/route";
import { GET as getText } from "@/app/api/traces/[traceId]/text/route";
import type { ReadRun, ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setMasks } from "@/lib/server/platform/masking";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

const { server, newThread, say } = approvalServer({
  Work: [
    { text: "I write it.", reasoning: "A file is needed.", calls: [write("a.txt", "one 12345")] },
    { calls: [{ name: "read_file", args: { path: "missing.txt" } }] },
    { text: "It is *done*." },
  ],
  Delegate: [
    { calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Help" } }] },
    { text: "ok" },
  ],
  Help: [{ calls: [write("child.txt", "of the child")] }, { text: "helped" }],
  Long: [{ calls: [write("long.txt", "x".repeat(30_000))] }, { text: "```\ncode\n```" }],
});

beforeAll(async () => {
  const base = {
    model: "scripted:m",
    retries: 0,
    backend: { type: "state", scope: "thread" },
    system_prompt: "Secret.",
  };
  const helper = { name: "helper", description: "Helps.", prompt: "You help." };
  await createAgent(server().services, {
    agentId: "worker",
    raw: { ...base, name: "Worker", subagents: [helper] },
    createdById: null,
  });
});
afterEach(() => setMasks([]));

/** The trace of a finished run whose events are gone. */
async function traceOf(words: string): Promise<string> {
  const { run_id: runId } = await say(words, newThread(), "worker");
  await flushSpans();
  await server().database.runEvent.deleteMany();
  return (await server().database.run.findUniqueOrThrow({ where: { id: runId } })).traceId;
}

const ask = (traceId: string, as: Role = "member") => server().call(getRead, { as, params: { traceId } });
async function read(traceId: string, as: Role = "member"): Promise<ReadTrace> {
  const reply = await ask(traceId, as);
  expect(reply.status).toBe(200);
  return reply.json();
}
async function markdown(traceId: string): Promise<string> {
  const reply = await server().call(getText, { as: "member", params: { traceId } });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  return reply.text();
}
const outline = (run: ReadRun | undefined) =>
  run?.passages.map((passage) => {
    if (passage.kind === "step") return `step ${passage.step}`;
    if (passage.kind === "call") return `${passage.tool} ${passage.gist} ${passage.status}`;
    return passage.kind === "wait" || passage.kind === "notice" ? passage.kind : `${passage.kind} ${passage.text.text}`;
  });

test("a run is read in order: what was said, each step with its thought, answer and calls", async () => {
  const { runs, ...facts } = await read(await traceOf("Work"));
  expect(facts).toMatchObject({ askedBy: expect.any(String), hasMoreRuns: false });
  expect(outline(runs[0])).toEqual([
    "message Work",
    "step 1",
    "thought A file is needed.",
    "answer I write it.",
    "write_file a.txt completed",
    "step 2",
    "read_file missing.txt failed",
    "step 3",
    "answer It is *done*.",
  ]);
  const call = runs[0]?.passages.find(({ kind }) => kind === "call");
  expect(call).toMatchObject({ isError: false, result: { text: expect.stringContaining("a.txt") } });
  expect(JSON.stringify(runs)).not.toContain("Secret.");
});

test("a subagent's run stands below the call that started it", async () => {
  const { runs } = await read(await traceOf("Delegate"));
  const call = runs[0]?.passages.find(({ kind }) => kind === "call");
  expect(call).toMatchObject({ tool: "task", childRunIds: [runs[1]?.runId] });
  expect([runs[1]?.name, outline(runs[1])?.slice(1, 3)]).toEqual([
    "helper",
    ["step 1", "write_file child.txt completed"],
  ]);
});

test("the Markdown is the same text: calls in fences, subagents as quotes", async () => {
  const text = await markdown(await traceOf("Work"));
  expect(text).toContain("## Step 1");
  expect(text).toContain("> A file is needed.");
  expect(text).toMatch(/- \*\*write_file\*\* `a\.txt` \(completed, .+\)\n\n```json\n\{\n {2}"path": "a\.txt"/u);
  expect(text.trimEnd().endsWith("It is *done*.")).toBe(true);
  expect(await markdown(await traceOf("Delegate"))).toContain("> **helper, 2 steps**\n>\n> **Message**");
});

test("a long text is cut, and says how much follows", async () => {
  const traceId = await traceOf("Long");
  const call = (await read(traceId)).runs[0]?.passages.find(({ kind }) => kind === "call");
  expect(call).toMatchObject({ args: { text: expect.stringMatching(/^.{20000}$/su), chars: 30_041 } });
  expect(await markdown(traceId)).toContain("[10,041 more characters]");
});

test("masks hold in every passage", async () => {
  const traceId = await traceOf("Work");
  setMasks([(text) => text.replaceAll("12345", "#").replaceAll("a.txt", "%")]);
  const masked = JSON.stringify(await read(traceId));
  expect([masked.includes("12345"), masked.includes("a.txt")]).toEqual([false, false]);
  expect(await markdown(traceId)).not.toContain("12345");
});

test("without its messages a run shows the calls that are left, and says so", async () => {
  const traceId = await traceOf("Work");
  await server().database.message.deleteMany();
  const { runs } = await read(traceId);
  expect([runs[0]?.hasMessages, outline(runs[0])]).toEqual([
    false,
    ["message Work", "step 1", "write_file a.txt completed", "step 2", "read_file missing.txt failed"],
  ]);
  expect(await markdown(traceId)).toContain("Its messages were removed.");
});

test("only its owner and administrators read it, and administrators' looks are audited", async () => {
  const traceId = await traceOf("Work");
  expect((await ask(traceId, "viewer")).status).toBe(404);
  expect((await server().call(getText, { as: "viewer", params: { traceId } })).status).toBe(404);
  const looks = () => server().database.auditEntry.count({ where: { action: "trace.viewed", actorId: "admin" } });
  const before = await looks();
  await read(traceId, "admin");
  expect(await looks()).toBe(before + 1);
});
