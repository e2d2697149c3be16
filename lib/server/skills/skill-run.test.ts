import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as install } from "@/app/api/skills/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

const SKILL = "---\nname: pdf\ndescription: Fill in forms\n---\n# How to fill in a form";
const READ = { calls: [{ name: "read_file", args: { path: "/skills/pdf/SKILL.md" } }] };
const WRITE = { calls: [{ name: "write_file", args: { path: "/skills/pdf/SKILL.md", content: "mine" } }] };

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer([READ, WRITE, { text: "Done." }]);
  const raw = { name: "Reader", model: "scripted:m", backend: { type: "state" }, skills: { paths: ["skills"] } };
  await createAgent(server.services, { agentId: "reader", raw, createdById: null });
  const files = [{ path: "SKILL.md", content: SKILL }];
  expect((await server.call(install, { as: "admin", body: { files } })).status).toBe(201);
});
afterEach(() => server.close());

test("a run learns of an installed skill, reads it and can't change it", async () => {
  const body = { messages: [{ role: "user", content: "/pdf the tax form" }] };
  const reply = await server.call(invoke, { as: "member", params: { id: "reader" }, body });
  expect(reply.status).toBe(200);
  const sent = server.provider.requests.map((request) => request.body.messages ?? []);
  const system = JSON.stringify(sent[0]?.[0]);
  expect(system).toContain("[pdf] Fill in forms → Read /skills/pdf/SKILL.md for full instructions");
  expect(system).toContain("it asks for the skill");
  expect(sent[1]?.at(-1)).toMatchObject({ role: "tool", content: SKILL });
  expect(sent[2]?.at(-1)?.content).toContain("skills/pdf is an installed skill and read-only");
});
