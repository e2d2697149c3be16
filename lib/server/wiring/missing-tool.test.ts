import { expect, onTestFinished, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startRunServer } from "@/lib/testing/servers/run-server";

const LISTED = { description: "Changes customers.", parameters: '{"type":"object"}', createdById: "admin" };

/** What the model reads when it calls a tool that its agent does not have. */
async function readMissing(tool: string, config: RawConfig): Promise<[string, string]> {
  const server = await startRunServer([{ calls: [{ name: tool, args: {} }] }, { text: "Too bad." }]);
  onTestFinished(() => server.close());
  for (const name of ["crm_find", "crm_delete"])
    await server.database.httpTool.create({ data: { name, callbackUrl: "https://crm.example.com/", ...LISTED } });
  await createAgent(server.services, {
    agentId: "writer",
    raw: { name: "Writer", model: "scripted:m", ...config },
    createdById: null,
  });
  const body = { messages: [{ role: "user", content: "Do it." }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "writer" }, body });
  const { status, tool_calls: calls } = await reply.json();
  return [status, calls[0].error];
}

test.each([
  ["execute", { backend: { type: "state" } }],
  ["crm_delete", { tools: { allow: ["crm_*"], deny: ["crm_delete"] } }],
  ["crm_delete", {}],
])("a model that calls the existing tool %s is told that an agent with %o does not have it", async (tool, config) => {
  expect(await readMissing(tool, config)).toEqual([
    "completed",
    `This agent does not have the tool ${tool}. Find another way, or tell the user.`,
  ]);
});

test("a tool that nobody registered is unknown", async () => {
  expect(await readMissing("crm_burn", { tools: ["crm_find"] })).toEqual(["completed", "unknown tool: crm_burn"]);
});
