import { beforeAll, expect, test, vi } from "vitest";
import { POST as postWhatIf } from "@/app/api/permissions/what-if/route";
import { type BudgetWhatIf, type CallWhatIf, THEN, WhatIfQuery } from "@/lib/schema/permissions/what-if";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { hashKey } from "@/lib/server/users/find-key-owner";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { writes } from "@/lib/testing/servers/scripted-turns";

import { whatIf as whatIfOf } from "./what-if";

const DONE = { text: "done" };
const AGENT = "asks";

const { server, newThread, say, decideOn } = approvalServer({
  "Write two": [writes("a.txt", "b.txt"), DONE],
  "Write one": [writes("a.txt"), DONE],
  Add: [{ calls: [{ name: "calculate", args: { expression: "1+1" } }] }, DONE],
  "Edit a.txt": [{ calls: [{ name: "edit_file", args: { path: "a.txt", old_string: "h", new_string: "j" } }] }, DONE],
});

const ask = (body: object, as: Role = "admin", signal?: AbortSignal) =>
  server().call(postWhatIf, { as, method: "POST", body, ...(signal ? { signal } : {}) });
async function whatIf<Reply = CallWhatIf>(body: object, as: Role = "admin"): Promise<Reply> {
  const reply = await ask(body, as);
  expect(reply.status).toBe(200);
  return reply.json();
}
const rules = (block: object) => whatIf({ agentId: AGENT, rules: block });

beforeAll(async () => {
  const thread = newThread();
  const asked = await say("Write two", thread);
  const [one = "", two = ""] = idsOf(asked);
  await decideOn(thread, [
    { tool_call_id: one, decision: "allow", scope: "thread" },
    { tool_call_id: two, decision: "deny", reason: "not this one" },
  ]);
  await say("Write one", thread);
  await say("Add", newThread());
  await say("Edit a.txt", newThread());
  const { database } = server();
  const done = async () => (await database.call.findMany()).filter(({ endedAt }) => endedAt !== null).length;
  await vi.waitUntil(async () => (await done()) === 5, 10_000);
  // What a run's page needs later than a day.
  await database.runEvent.deleteMany();
});

test("with the published rules nothing would have been different", async () => {
  expect(await rules({})).toMatchObject({
    ...{ calls: 5, unknown: 0, isCut: false, changed: [], saved: [], wildcards: [] },
    now: { allowed: 2, asked: 2, denied: 1 },
    [THEN]: { allowed: 2, asked: 2, denied: 1 },
    ...{ promptsSaved: 0, newlyAsked: 0, newlyAllowed: 0, newlyDenied: 0, deniedByPeople: 0 },
  });
});

test("a rule that allows what was asked saves prompts, and names first what a person had denied", async () => {
  const found = await rules({ ask: [], allow: [{ tool: "write_file", args: { path: "*.txt" } }] });
  expect(found).toMatchObject({ [THEN]: { allowed: 4, asked: 0, denied: 1 }, promptsSaved: 2, newlyAllowed: 2 });
  expect(found.deniedByPeople).toBe(1);
  expect(found.changed.map(({ gist, was, would, decision, reason }) => [gist, was, would, decision, reason])).toEqual([
    ["b.txt", "asked", "allowed", "deny", "not this one"],
    ["a.txt", "asked", "allowed", "allow", null],
  ]);
  expect(found.changed[0]).toMatchObject({ decidedBy: expect.any(String), rule: expect.stringContaining("allow") });
  expect(found.changed.map(({ askRule }) => askRule)).toEqual([{ tool: "write_file", args: { path: "b.txt" } }, null]);
  expect(found.saved).toEqual([{ tool: "write_file", gist: "a.txt", calls: 1 }]);
});

test("a rule that denies also takes what a grant had allowed", async () => {
  const found = await rules({ deny: ["write_file", "Edit"] });
  expect(found).toMatchObject({ newlyDenied: 3, [THEN]: { allowed: 1, asked: 0, denied: 4 }, promptsSaved: 2 });
});

test("an alias of a tool and of its arguments means the same as in a run", async () => {
  const found = await rules({ deny: ["Edit", { tool: "Write", args: { file_path: "b.*" } }] });
  expect(found.changed.map(({ gist, would }) => [gist, would])).toEqual([["b.txt", "denied"]]);
});

test("a mode is tried alone; what it asks about newly is counted", async () => {
  const found = await whatIf<CallWhatIf>({ agentId: AGENT, mode: "bypass", rules: { ask: [], deny: [] } });
  expect(found.then).toEqual({ allowed: 5, asked: 0, denied: 0 });
  const strict = await whatIf<CallWhatIf>({ agentId: AGENT, mode: "plan" });
  expect(strict.newlyDenied).toBe(0);
  expect(await rules({ ask: ["write_file", "calculate"] })).toMatchObject({ newlyAsked: 1 });
});

test("a new allow rule with a wildcard on a command is named", async () => {
  const wild = { tool: "execute", args: { command: "npm *" } };
  expect((await rules({ allow: [wild] })).wildcards).toEqual(["execute (command: npm *)"]);
});

test("a grant is tried by everybody on their own calls, rules and budgets by administrators", async () => {
  const grant = { tool: "write_file", args: { path: "b.txt", content: "hello" } };
  const own = await whatIf<CallWhatIf>({ agentId: AGENT, grant }, "member");
  expect(own).toMatchObject({ calls: 3, promptsSaved: 1, newlyAllowed: 1, deniedByPeople: 1 });
  expect((await whatIf<CallWhatIf>({ agentId: AGENT, grant }, "admin")).calls).toBe(3);
  const refused = [
    { agentId: AGENT, rules: {} },
    { agentId: AGENT, mode: "bypass" },
    { budget: { scope: "installation", period: "day", usd: 1 } },
  ];
  for (const body of refused) expect((await ask(body, "member")).status).toBe(403);
  const { database } = server();
  await database.user.create({ data: { id: "other", name: "Other", email: "other@example.test", role: "member" } });
  const others = await server().addKey("other", ["read", "chat"]);
  const reply = await server().call(postWhatIf, { key: others, method: "POST", body: { agentId: AGENT, grant } });
  expect(await reply.json()).toMatchObject({ calls: 0, changed: [] });
  expect(await database.call.count()).toBe(5);
});

test("drafts, replays, older calls and those of others' agents are left out; what can't be judged is counted", async () => {
  const { database } = server();
  const [call] = await database.call.findMany({ where: { tool: "calculate" } });
  if (call === undefined) throw new Error("There is a call.");
  const { id } = await database.trace.findUniqueOrThrow({ where: { id: call.traceId } });
  const calls = async () => {
    const { calls: known, unknown } = await rules({});
    return [known, unknown];
  };
  const only = { where: { runId_toolCallId: { runId: call.runId, toolCallId: call.toolCallId } } };
  await database.trace.update({ where: { id }, data: { origin: "replay" } });
  expect(await calls()).toEqual([4, 0]);
  await database.trace.update({ where: { id }, data: { origin: "chat" } });
  for (const [data, expected] of [
    [{ agentVersion: 0 }, [4, 0]],
    [{ startedAt: new Date(Date.now() - 40 * 86_400_000) }, [4, 0]],
    [{ agentId: "plans" }, [4, 0]],
    [{ subject: null }, [4, 1]],
    [{ args: null }, [4, 1]],
  ] as const) {
    await database.call.update({ ...only, data });
    expect(await calls()).toEqual(expected);
    const { agentVersion, startedAt, agentId, subject, args } = call;
    await database.call.update({ ...only, data: { agentVersion, startedAt, agentId, subject, args } });
  }
  expect((await whatIf<CallWhatIf>({ agentId: AGENT, rules: {}, days: 90 })).calls).toBe(5);
});

const GRANT = { agentId: AGENT, grant: { tool: "write_file", args: { path: "b.txt", content: "hello" } } };
const BUDGET = { budget: { scope: "installation", period: "day", tokens: 1 } };

test("a limited key sees the calls of an agent's own threads, not those that it made in threads of another", async () => {
  const { database } = server();
  const key = await server().addKey("member", ["read", "chat"]);
  const limit = (agents: readonly string[]) =>
    database.apiKey.update({ where: { sha256: hashKey(key) }, data: { agents: JSON.stringify(agents) } });
  const post = (body: object) => server().call(postWhatIf, { key, method: "POST", body });
  const found = async () => (await post(GRANT)).json();
  await limit([AGENT]);
  expect(await found()).toEqual(await whatIf(GRANT, "member"));
  expect(await found()).toMatchObject({ calls: 3, newlyAllowed: 1 });
  await database.trace.updateMany({ data: { homeAgentId: "plans" } });
  expect(await whatIf(GRANT, "member")).toMatchObject({ calls: 3, newlyAllowed: 1 });
  expect(await found()).toMatchObject({ calls: 0, unknown: 0, newlyAllowed: 0, changed: [], saved: [] });
  await limit(["plans"]);
  expect((await post(GRANT)).status).toBe(404);
  for (const body of [{ agentId: AGENT, rules: {} }, BUDGET]) expect((await post(body)).status).toBe(403);
  await database.trace.updateMany({ data: { homeAgentId: null } });
});

test("within reach, rules and budgets leave out what was done in threads of another agent, too", async () => {
  const { database } = server();
  const limited = { ...testViewer("admin", "admin"), reach: [AGENT] };
  const both = async () => [
    await whatIfOf(
      server().services,
      limited,
      WhatIfQuery.parse({ agentId: AGENT, rules: { ask: [], allow: ["write_file"] } }),
    ),
    await whatIfOf(server().services, limited, WhatIfQuery.parse(BUDGET)),
  ];
  expect(await both()).toMatchObject([{ calls: 5, newlyAllowed: 2 }, { runs: 4 }]);
  await database.trace.updateMany({ data: { homeAgentId: "plans" } });
  expect(await both()).toMatchObject([
    { calls: 0, unknown: 0, changed: [], saved: [] },
    { runs: 0, unknown: 0, reached: 0, changed: [] },
  ]);
  await database.trace.updateMany({ data: { homeAgentId: null } });
});

test("what is asked for is one thing, of an agent that exists", async () => {
  const grant = { tool: "execute", pattern: "npm run" };
  for (const body of [
    { agentId: AGENT },
    { agentId: AGENT, rules: {}, grant },
    { rules: {} },
    { agentId: AGENT, grant: { tool: "execute" } },
    { agentId: AGENT, rules: {}, days: 91 },
    { agentId: AGENT, rules: { alow: [] } },
  ]) {
    expect((await ask(body)).status).toBe(400);
  }
  expect((await ask({ agentId: "nobody", rules: {} })).status).toBe(404);
});

test("a request that has ended is not answered", async () => {
  const reply = await ask({ agentId: AGENT, rules: {} }, "admin", AbortSignal.abort());
  expect(reply.status).toBe(503);
});

test("a budget says which runs would have reached it, and which began after that", async () => {
  const { database } = server();
  const agent = { model: "scripted:m", name: "Spends" };
  await createAgent(server().services, { agentId: "spends", raw: agent, createdById: null });
  const template = await database.trace.findFirstOrThrow();
  const noon = Date.now() - 3 * 86_400_000;
  const costs = [1, 1.5, null, 0.2];
  await database.trace.createMany({
    data: costs.map((costUsd, index) => ({
      ...template,
      ...{ id: `spent${index}`, runId: `spent${index}`, agentId: "spends", title: `Run ${index}`, costUsd },
      startedAt: new Date(noon + index * 60_000),
    })),
  });
  const budget = { scope: "agent", scopeId: "spends", period: "total", usd: 2 };
  const found = await whatIf<BudgetWhatIf>({ budget });
  expect(found).toMatchObject({ runs: 4, unknown: 1, reached: 3, notStarted: 2, periods: 1 });
  expect(found.changed.map(({ title }) => title)).toEqual(["Run 3", "Run 2", "Run 1"]);
  expect(await whatIf({ budget: { ...budget, period: "run", usd: 1.2 } })).toMatchObject({ reached: 1, notStarted: 0 });
  expect(await whatIf({ budget: { ...budget, usd: 3 } })).toMatchObject({ runs: 4, reached: 0, periods: 0 });
});
