import { expect, onTestFinished, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { startRunServer } from "@/lib/testing/run-server";
import { createAgent } from "../agents/publish-version";

test("a model that asks for commands where there are none is told that the agent does not have them", async () => {
  const server = await startRunServer([
    { calls: [{ name: "execute", args: { command: "ls" } }] },
    { text: "Too bad." },
  ]);
  onTestFinished(() => server.close());
  const raw = { name: "Writer", model: "scripted:m", backend: { type: "state" } };
  await createAgent({ agentId: "writer", raw, createdById: null });
  const body = { messages: [{ role: "user", content: "List it." }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "writer" }, body });
  const { status, tool_calls: calls } = await reply.json();
  expect([status, calls[0].error]).toEqual(["completed", expect.stringMatching(/^This agent does not have the tool/)]);
});
