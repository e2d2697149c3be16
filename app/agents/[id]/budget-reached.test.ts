import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as approvals } from "@/app/api/approvals/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as invoke } from "./invoke/route";
import { POST as resume } from "./resume/route";

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer([{ text: "Worth it." }]);
  const raw = { name: "Spends", model: "scripted:m", retries: 0, max_tokens: 50, budget: { run_tokens: 40 } };
  await createAgent(server.services, { agentId: "spends", raw, createdById: null });
});
afterEach(() => server.close());

test("/agents answers waiting with an interrupt that a raise answers, and stores what was used and by which key", async () => {
  const body = { messages: [{ role: "user", content: "go" }], thread_id: "t1" };
  const asked = await (await server.call(invoke, { as: "member", params: { id: "spends" }, body })).json();
  expect(asked).toMatchObject({
    status: "waiting",
    interrupts: [
      { kind: "budget", tool_call_id: expect.stringMatching(/^budget_/), cap_usd: null, spent_usd: 0, cap_tokens: 40 },
    ],
  });
  const listed = await (await server.call(approvals, { as: "member" })).json();
  expect(listed).toMatchObject({
    total: 1,
    approvals: [{ kind: "budget", tool: "budget", budget: { capTokens: 40 } }],
  });
  const allow = { tool_call_id: asked.interrupts[0].tool_call_id, decision: "allow" };
  const decide = (decision: object) =>
    server.call(resume, {
      as: "member",
      params: { id: "spends" },
      path: "/agents/spends/resume",
      body: { thread_id: "t1", decisions: [decision] },
    });
  const wrong = await decide(allow);
  expect([wrong.status, (await wrong.json()).error.details[0].path]).toEqual([400, "decisions.0.args.add_usd"]);
  const done = await (await decide({ ...allow, args: { add_tokens: 500 } })).json();
  expect(done).toMatchObject({ status: "completed", response: "Worth it." });
  const key = await server.database.apiKey.findFirstOrThrow({ where: { userId: "member" } });
  const run = await server.database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  expect(run).toMatchObject({ model: "scripted:m", apiKeyId: key.id });
});

test.each([false, true])(
  "/v1 answers 402 when the budget is reached before the first call (stream: %s)",
  async (stream) => {
    const body = { model: "agent:spends", stream, messages: [{ role: "user", content: "go" }] };
    const reply = await server.call(complete, { as: "member", path: "/v1/chat/completions", body });
    const { error } = await reply.json();
    expect([reply.status, error.code]).toEqual([402, "budget_reached"]);
    expect(error.message).toContain("The budget of 40 tokens for a run of spends is reached");
    expect(server.provider.requests).toEqual([]);
  },
);

test("/v1 streams a run whose first call fits into its budget", async () => {
  const raw = { name: "Fits", model: "scripted:m", max_tokens: 50, budget: { run_tokens: 5_000 } };
  await createAgent(server.services, { agentId: "fits", raw, createdById: null });
  const body = { model: "agent:fits", stream: true, messages: [{ role: "user", content: "go" }] };
  const reply = await server.call(complete, { as: "member", path: "/v1/chat/completions", body });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  expect(await reply.text()).toContain("Worth it.");
});
