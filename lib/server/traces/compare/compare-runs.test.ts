import { afterEach, beforeAll, expect, test } from "vitest";
import { GET as getCompared } from "@/app/api/traces/compare/route";
import type { ComparedRuns } from "@/lib/schema/traces/compare-runs";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setMasks } from "@/lib/server/platform/masking";
import { flushSpans } from "@/lib/server/traces/recorder";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });

const { server, newThread, say } = approvalServer({
  Note: [{ text: "I note it.", calls: [write("a.txt", "one")] }, { text: "Done." }],
  Differ: [
    { text: "I note it.", calls: [write("a.txt", "one")] },
    { text: "Better 12345.", calls: [write("a.txt", "two")] },
    { text: "Done." },
  ],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, backend: { type: "state", scope: "thread" } };
  await createAgent(server().services, { agentId: "worker", raw: { ...base, name: "Worker" }, createdById: null });
});
afterEach(() => setMasks([]));

/** A finished run whose events are gone. */
async function runOf(words: string): Promise<string> {
  const { run_id: runId } = await say(words, newThread(), "worker");
  await flushSpans();
  await server().database.runEvent.deleteMany();
  return runId;
}

const ask = (a: string, b: string, as: Role = "member") =>
  server().call(getCompared, { as, path: `/api/traces/compare?a=${a}&b=${b}` });
async function compare(a: string, b: string, as: Role = "member"): Promise<ComparedRuns> {
  const reply = await ask(a, b, as);
  expect(reply.status).toBe(200);
  return reply.json();
}

test("two runs that did the same have no first difference", async () => {
  const compared = await compare(await runOf("Note"), await runOf("Note"));
  expect(compared.steps.map(({ step, same }) => [step, same])).toEqual([
    [1, true],
    [2, true],
  ]);
  expect(compared).toMatchObject({
    firstDifference: null,
    message: { same: true },
    a: { modelCalls: 2, toolCalls: 1 },
  });
  expect(compared.steps[0]).toMatchObject({
    samePrompt: true,
    sameTools: true,
    calls: [{ tool: "write_file", same: true }],
  });
});

test("the first difference is the step in which they part, and a step may be in one of them alone", async () => {
  const [a, b] = [await runOf("Note"), await runOf("Differ")];
  const { steps, firstDifference, message } = await compare(a, b);
  expect([firstDifference, message]).toEqual([{ step: 2 }, { same: false, a: "Note", b: "Differ" }]);
  expect(steps[1]).toMatchObject({
    same: false,
    answer: { same: false, a: "Done.", b: "Better 12345." },
    calls: [{ tool: "write_file", a: null, args: { a: null, b: expect.stringContaining("two") } }],
  });
  expect(steps[2]).toMatchObject({ step: 3, same: false, a: null, b: { tokens: expect.any(Number) } });
  const swapped = await compare(b, a);
  expect([swapped.firstDifference, swapped.steps[2]?.b]).toEqual([{ step: 2 }, null]);
});

test("settings are compared for administrators alone", async () => {
  const [a, b] = [await runOf("Note"), await runOf("Note")];
  expect((await compare(a, b)).config).toBeNull();
  const { config } = await compare(a, b, "admin");
  expect(config).toMatchObject({ same: true, a: expect.stringContaining("scripted:m") });
});

test("masks hold, and both runs must be visible to the viewer", async () => {
  const [a, b] = [await runOf("Note"), await runOf("Differ")];
  setMasks([(text) => text.replaceAll("12345", "#")]);
  expect((await compare(a, b)).steps[1]?.answer.b).toBe("Better #.");
  expect([(await ask(a, b, "viewer")).status, (await ask(a, "none")).status]).toEqual([404, 404]);
  expect((await server().call(getCompared, { as: "member", path: `/api/traces/compare?a=${a}` })).status).toBe(400);
  const looks = () => server().database.auditEntry.count({ where: { action: "trace.viewed", actorId: "admin" } });
  const before = await looks();
  await compare(a, b, "admin");
  expect(await looks()).toBe(before + 2);
});
