import { afterEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { PUT as upload } from "./files/upload/route";
import { POST as invoke } from "./invoke/route";

let server: RunServer;
afterEach(() => server.close());

const AS_SENT = `You remember.

<agent_memory>
# Project notes
- Using FastAPI
</agent_memory>

Guidelines for agent memory:
- This memory persists across conversations
- You can update it by using edit_file on the AGENTS.md file
- Use it to track important context, decisions, and patterns
- Keep entries concise and organized`;

test("the model reads AGENTS.md with S0's guidelines, to the letter", async () => {
  server = await startRunServer([{ text: "hi" }]);
  const raw = { name: "Notes", model: "scripted:m", system_prompt: "You remember.", backend: { type: "state" } };
  const memory = { paths: ["/workspace/AGENTS.md"] };
  await createAgent(server.services, { agentId: "notes", raw: { ...raw, memory }, createdById: null });
  const call = { as: "member", params: { id: "notes" } } as const;
  const file = { path: "AGENTS.md", content: "# Project notes\n- Using FastAPI" };
  await server.call(upload, { ...call, method: "PUT", body: file });
  await server.call(invoke, { ...call, body: { messages: [{ role: "user", content: "hi" }] } });
  expect(server.provider.requests[0]?.body.messages?.[0]).toEqual({ role: "system", content: AS_SENT });
});
