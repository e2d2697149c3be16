import { EventSchemas } from "@ag-ui/core/schemas";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { expireApprovals } from "@/lib/server/engine/asks/expire-approvals";
import { AgUiClient, problemOf, serveAgUi, textsOf } from "@/lib/testing/clients/ag-ui-client";
import type { ServedRoutes } from "@/lib/testing/clients/serve-routes";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { delegates } from "@/lib/testing/fixtures/child-approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const QUESTIONS = { questions: [{ question: "Which?", options: ["a", "b"] }] };
const TWO_HOURS_MS = 2 * 3_600_000;

const { server, lastMessages, decideOn } = approvalServer({
  Again: [{ text: "Once more." }],
  "Write it": [writes("a.txt"), { text: "Finished." }],
  "Write both": [writes("b.txt", "c.txt"), { text: "Finished." }],
  Ask: [{ calls: [{ name: "ask_user", args: QUESTIONS }] }, { text: "Thanks." }],
  "Share it": [delegates("Write one", "Write other"), { text: "All written." }],
  "Write one": [writes("one.txt"), { text: "One." }],
  "Write other": [writes("other.txt"), { text: "Other." }],
});

let served: ServedRoutes;
let key: string;
beforeAll(async () => {
  served = await serveAgUi();
  key = await server().addKey("member", ["read", "chat"]);
  const permissions = { enabled: true, mode: "accept_edits", ask: ["write_file"], approval_ttl_hours: 2 };
  const raw = { model: "scripted:m", retries: 0, backend: { type: "state" }, permissions };
  await createAgent(server().services, { agentId: "writer", raw: { ...raw, name: "Writer" }, createdById: null });
  const budget = { run_tokens: 40 };
  const spends = { ...raw, name: "Spends", max_tokens: 50, budget };
  await createAgent(server().services, { agentId: "spends", raw: spends, createdById: null });
  await createAgent(server().services, {
    agentId: "boss",
    raw: { ...raw, name: "Boss", subagents: ["writer"] },
    createdById: null,
  });
});
afterAll(() => served.close());

const clientOf = (agentId: string) => new AgUiClient({ url: served.url, key, agentId });
let agent: AgUiClient;
beforeEach(() => {
  agent = clientOf("asks");
});

const inThread = () => ({ thread: { clientId: agent.threadId } });
const approvals = () => server().database.approval.findMany({ where: { run: inThread() }, select: { status: true } });
const ended = () =>
  expect
    .poll(async () => (await server().database.run.findFirst({ where: { ...inThread(), parentRunId: null } }))?.status)
    .toBe("completed");

test("a call that asks ends the run with an interrupt, and the answer goes on with it", async () => {
  await agent.say("Write it");
  const [interrupt] = agent.pendingInterrupts;
  expect(interrupt).toMatchObject({
    id: interrupt?.toolCallId,
    reason: "tool_call",
    message: expect.stringContaining("write_file"),
    responseSchema: { required: ["decision"], properties: { decision: { enum: ["allow", "edit", "deny"] } } },
  });
  expect(agent.types.slice(-2)).toEqual(["TOOL_CALL_END", "RUN_FINISHED"]);
  const { newMessages } = await agent.answer({ decision: "allow" });
  expect(newMessages).toMatchObject([
    { role: "tool", toolCallId: interrupt?.id },
    { role: "assistant", content: "Finished." },
  ]);
  expect(agent.pendingInterrupts).toEqual([]);
  for (const event of agent.events) EventSchemas.parse(event);
});

test("arguments can be edited, and a question is answered in its own words", async () => {
  await agent.say("Write it");
  await agent.answer({ decision: "edit", args: { path: "edited.txt", content: "x" } });
  expect(JSON.stringify(lastMessages())).toContain("edited.txt");
  await agent.say("Ask");
  expect(agent.pendingInterrupts).toMatchObject([{ reason: "input_required", message: "Which?" }]);
  await agent.answer({ decision: "answer", answers: ["b"] });
  expect(JSON.stringify(lastMessages())).toContain('{\\"answers\\":[\\"b\\"]}');
});

test("a budget that is reached is an interrupt, and the run goes on once it is raised", async () => {
  agent = clientOf("spends");
  await agent.say("Again");
  expect(agent.pendingInterrupts).toMatchObject([
    { id: expect.stringMatching(/^budget_/), reason: "ringmaster:budget" },
  ]);
  const wrong = await problemOf(agent.clone().runAgent(agent.answers({ decision: "allow" })));
  expect(wrong).toMatchObject({
    status: 400,
    payload: { error: { details: [{ path: "resume.0.payload.args.add_usd" }] } },
  });
  const { newMessages } = await agent.answer({ decision: "allow", args: { add_tokens: 100_000 } });
  expect(textsOf(newMessages)).toEqual(["Once more."]);
});

test("cancelled is a deny, with its reason", async () => {
  await agent.say("Write it");
  await agent.runAgent(agent.cancellation({ reason: "Not today." }));
  expect(JSON.stringify(lastMessages())).toContain("Not today.");
  expect(await approvals()).toEqual([{ status: "denied" }]);
});

test("a second answer is a 409, and a payload that the schema does not allow a 400", async () => {
  await agent.say("Write it");
  const other = agent.clone();
  expect(await problemOf(agent.clone().runAgent(agent.answers({ decision: "maybe" })))).toMatchObject({ status: 400 });
  const answers = agent.answers({ decision: "allow" });
  await agent.runAgent(answers);
  expect(await problemOf(other.runAgent(answers))).toMatchObject({ status: 409 });
});

test("where only some of the asks are answered, the others still wait", async () => {
  await agent.say("Write both");
  const [first, second] = agent.pendingInterrupts;
  const { threadId, messages, url, headers } = agent;
  const resume = [{ interruptId: first?.id, status: "resolved", payload: { decision: "allow" } }];
  const body = JSON.stringify({ threadId, runId: "r2", messages, resume });
  const text = await (await fetch(url, { method: "POST", headers, body })).text();
  const sent = text.split("\n\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
  expect(sent.map(({ type }) => type)).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
  expect(sent[1].outcome).toMatchObject({ type: "interrupt", interrupts: [{ id: second?.id }] });
});

test("subagents' asks have ids of their own, even if their calls do not", async () => {
  agent = clientOf("boss");
  await agent.say("Share it");
  const asks = agent.pendingInterrupts;
  expect(new Set(asks.map(({ id }) => id)).size).toBe(2);
  expect(asks.map(({ message }) => message)).toEqual([
    expect.stringContaining("writer: "),
    expect.stringContaining("writer: "),
  ]);
  const { newMessages } = await agent.answer({ decision: "allow" });
  expect(textsOf(newMessages)).toEqual(["All written."]);
});

test("an unanswered approval expires, and cancelling it returns what the run has done since", async () => {
  agent = clientOf("writer");
  await agent.say("Write it");
  const [interrupt] = agent.pendingInterrupts;
  expect(Date.parse(interrupt?.expiresAt ?? "")).toBeGreaterThan(Date.now());
  await expireApprovals(server().database, Date.now() + TWO_HOURS_MS + 60_000);
  await ended();
  expect(await approvals()).toEqual([{ status: "expired" }]);
  const late = agent.clone().runAgent(agent.answers({ decision: "allow" }));
  expect(await problemOf(late)).toMatchObject({ status: 409 });
  const { newMessages } = await agent.runAgent(agent.cancellation());
  expect(newMessages).toMatchObject([
    { role: "tool", content: expect.stringContaining("expired") },
    { role: "assistant", content: "Finished." },
  ]);
  expect(agent.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
  expect(textsOf((await agent.say("Again")).newMessages)).toEqual(["Once more."]);
});

test("a client that cancels what was answered elsewhere gets what the run did since, and changes nothing", async () => {
  await agent.say("Write it");
  const decision = { tool_call_id: agent.pendingInterrupts[0]?.id, decision: "allow" };
  expect((await decideOn(agent.threadId, [decision])).status).toBe(200);
  const { newMessages } = await agent.runAgent(agent.cancellation());
  expect(newMessages).toMatchObject([{ role: "tool" }, { role: "assistant", content: "Finished." }]);
  expect(await approvals()).toEqual([{ status: "approved" }]);
});

test("a new message with cancelled interrupts declines them; with answered ones it is refused", async () => {
  await agent.say("Write it");
  const both = agent.clone();
  both.addMessage({ id: "m1", role: "user", content: "Again" });
  expect(await problemOf(both.runAgent(agent.answers({ decision: "allow" })))).toMatchObject({ status: 400 });
  const { newMessages } = await agent.say("Again", agent.cancellation());
  expect(textsOf(newMessages)).toEqual(["Once more."]);
  expect(await approvals()).toEqual([{ status: "declined" }]);
});

test("another person's thread of the same id is another thread, and their interrupt can't be answered", async () => {
  await agent.say("Write it");
  const stranger = agent.clone();
  stranger.headers = { authorization: `Bearer ${await server().addKey("admin", ["read", "chat"])}` };
  expect(await problemOf(stranger.runAgent(agent.answers({ decision: "allow" })))).toMatchObject({ status: 404 });
  expect(await approvals()).toEqual([{ status: "pending" }]);
});
