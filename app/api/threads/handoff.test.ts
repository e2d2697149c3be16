import { expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { DELEGATES, resultsOf, subagentTests } from "@/lib/testing/servers/subagent-server";
import { GET as getTrace } from "../traces/[traceId]/route";
import { POST as send } from "./[threadId]/messages/route";
import { PATCH as changeThread, GET as getThread } from "./[threadId]/route";

const { start, use, say, follow, rowOf } = subagentTests();

const handoff = (agent = "worker") => ({ name: "handoff", args: { agent, reason: "It knows the ledger." } });
const GO = { go: [{ text: "I hand over.", calls: [handoff()] }, { text: "Worker here." }], more: [{ text: "Yes?" }] };
const BOSS = { subagents: [], delegates: ["worker"] };

const detail = async () =>
  (await use().server.call(getThread, { as: "member", params: { threadId: use().threadId } })).json();
const change = (body: object) =>
  use().server.call(changeThread, { as: "member", params: { threadId: use().threadId }, method: "PATCH", body });
const runs = () => use().server.database.run.findMany({ orderBy: { position: "asc" } });
const allEnded = (count: number) =>
  reached(async () => {
    const rows = await runs();
    return rows.length === count && rows.every(({ endedAt }) => endedAt !== null);
  });

test("a handoff ends the run as completed, and the other agent answers on the same path without a new message", async () => {
  await start(GO, BOSS);
  const runId = await say("go");
  const sent = await follow(runId);
  expect(sent.find(({ event }) => event === "handoff")).toMatchObject({
    from: "boss",
    to: "worker",
    reason: "It knows the ledger.",
  });
  expect(sent.at(-1)).toMatchObject({ event: "run.completed" });
  await allEnded(2);
  const [first, second] = await runs();
  expect(first).toMatchObject({ agentId: "boss", status: "completed", notice: null, steps: 1 });
  expect(second).toMatchObject({ agentId: "worker", origin: "handoff", afterRunId: runId, status: "completed" });
  expect(Number(second?.startedAt) - Number(first?.endedAt)).toBeLessThan(2_000);
  const asked = use()
    .server.provider.requests.at(-1)
    ?.body.messages?.map(({ role }) => role);
  expect(asked).toEqual(["user", "assistant", "tool"]);
  const { agentId, activeAgentId, activeSince, messages } = await detail();
  expect([agentId, activeAgentId, activeSince]).toEqual(["boss", "worker", second?.createdAt.toISOString()]);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "assistant"]);
  expect(messages[1].parts).toContainEqual(
    expect.objectContaining({ type: "data-handoff", data: expect.objectContaining({ from: "boss", to: "worker" }) }),
  );
});

test("the traces of both runs lead to each other", async () => {
  await start(GO, BOSS);
  await follow(await say("go"));
  await allEnded(2);
  const [from, to] = (await runs()).map(({ id }) => id);
  const linksOf = async (traceId: string | undefined) => {
    const reply = await use().server.call(getTrace, { as: "member", params: { traceId: traceId ?? "" } });
    return (await reply.json()).handoff;
  };
  expect(await linksOf(from)).toEqual({ fromRunId: null, toRunId: to });
  expect(await linksOf(to)).toEqual({ fromRunId: from, toRunId: null });
});

test("the agent it was handed to answers what follows, until the person takes the thread back", async () => {
  await start(GO, BOSS);
  await follow(await say("go"));
  await allEnded(2);
  expect(await rowOf(await say("more"))).toMatchObject({ agentId: "worker" });
  expect((await change({ activeAgentId: "worker" })).status).toBe(400);
  expect((await change({ activeAgentId: "boss" })).status).toBe(200);
  const taken = await detail();
  expect(taken).toMatchObject({ activeAgentId: "boss", takenBackAt: expect.any(String) });
  expect(taken).not.toHaveProperty("activeSince");
  expect(await rowOf(await say("more"))).toMatchObject({ agentId: "boss" });
  await allEnded(4);
});

test("what was queued before the handoff is answered after it, by the agent that took over", async () => {
  const handing = Promise.withResolvers<void>();
  await start(
    { ...GO, go: [{ ...GO.go[0], gate: handing.promise }, ...GO.go.slice(1)], later: [{ text: "Later." }] },
    BOSS,
  );
  await createAgent(processServices(), {
    agentId: "other",
    raw: { name: "Other", model: "scripted:m" },
    createdById: null,
  });
  const first = await say("go");
  await reached(async () => (await rowOf(first)).startedAt !== null);
  const second = await say("more");
  const other = await use().server.call(send, {
    as: "member",
    params: { threadId: use().threadId },
    body: { content: "later", agentId: "other" },
  });
  expect(other.status).toBe(202);
  handing.resolve();
  await allEnded(4);
  const rows = await runs();
  expect(rows.map(({ agentId, origin, status }) => [agentId, origin, status])).toEqual([
    ["boss", "api", "completed"],
    ["worker", "handoff", "completed"],
    ["worker", "api", "completed"],
    ["other", "api", "completed"],
  ]);
  expect([rows[0]?.id, rows[2]?.id]).toEqual([first, second]);
  expect(rows.slice(1).map(({ afterRunId }) => afterRunId)).toEqual(rows.slice(0, -1).map(({ id }) => id));
  const { messages } = await detail();
  expect(messages.map(({ role }: { role: string }) => role).join(" ")).toBe(
    "user assistant assistant user assistant user assistant",
  );
});

test("at most three handoffs happen in a row", async () => {
  await start({ go: ["worker", "boss", "worker", "boss"].map((to) => ({ calls: [handoff(to)] })) }, BOSS);
  await publishChange(
    processServices(),
    "worker",
    () => ({ name: "Worker", model: "scripted:m", delegates: ["boss"] }),
    {
      createdById: null,
    },
  );
  await say("go");
  await reached(async () => (await runs()).length === 4);
  const last = (await runs()).at(-1);
  await reached(
    async () =>
      (await use().server.database.runEvent.count({ where: { runId: last?.id ?? "", type: "tool.result" } })) > 0,
  );
  const { data } = await use().server.database.runEvent.findFirstOrThrow({
    where: { runId: last?.id ?? "", type: "tool.result" },
  });
  expect(data).toContain("Not handed over: that has happened 3 times");
  await reached(async () => (await runs()).every(({ endedAt }) => endedAt !== null));
  expect(await runs()).toHaveLength(4);
});

test("an agent that is not among the delegates, or that the owner may not use, gets no conversation", async () => {
  await start(
    { go: [{ calls: [handoff("other")] }, { calls: [handoff()] }, { text: "Then I." }] },
    {
      ...BOSS,
      delegates: ["worker", "open"],
    },
  );
  for (const agentId of ["other", "open"]) {
    await createAgent(processServices(), { agentId, raw: { name: agentId, model: "scripted:m" }, createdById: null });
  }
  const { database } = use().server;
  await database.group.create({ data: { id: "g1", name: "Others" } });
  await database.groupAgent.create({ data: { groupId: "g1", agentId: "worker" } });
  const runId = await say("go");
  expect(resultsOf(await follow(runId))).toEqual(['There is no agent "other".', 'There is no agent "worker".']);
  expect((await detail()).activeAgentId).toBe("boss");
});

test("handoff is offered neither over /agents nor in a delegated run", async () => {
  const ask = { name: "delegate", args: { agent: "worker", task: "find it" } };
  await start({ ...DELEGATES, go: [{ calls: [ask] }, { text: "Done." }], more: [{ text: "Hm." }] }, BOSS);
  await publishChange(
    processServices(),
    "worker",
    () => ({ name: "Worker", model: "scripted:m", delegates: ["boss"] }),
    {
      createdById: null,
    },
  );
  await follow(await say("go"));
  const body = { messages: [{ role: "user", content: "more" }], thread_id: "t1" };
  await use().server.call(invoke, { as: "member", params: { id: "boss" }, method: "POST", body });
  const offered = new Map(
    use().server.provider.requests.map(({ body: sent }) => [
      String(sent.messages?.findLast(({ role }) => role === "user")?.content),
      sent.tools?.map((tool) => tool.function.name) ?? [],
    ]),
  );
  expect(offered.get("go")).toContain("handoff");
  expect(offered.get("find it")).toContain("delegate");
  expect(offered.get("find it")).not.toContain("handoff");
  expect(offered.get("more")).toContain("delegate");
  expect(offered.get("more")).not.toContain("handoff");
});
