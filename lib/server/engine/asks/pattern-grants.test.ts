import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import { PATCH as changeAgent } from "@/app/agents/[id]/route";
import { GET as grants } from "@/app/api/grants/route";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

let server: RunServer;
let script: ScriptedAnswer[] = [];
const permissions = { enabled: true, ask: ["execute"] };
beforeAll(async () => {
  server = await startRunServer(() => script.shift() ?? { text: "done" });
  const base = { name: "Runner", model: "scripted:m", retries: 0, backend: { type: "local", scope: "thread" } };
  await createAgent(server.services, { agentId: "runner", raw: { ...base, permissions }, createdById: null });
});
afterAll(() => server.close());

async function run(thread: string, command: string): Promise<InvokeReply> {
  script = [{ calls: [{ name: "execute", args: { command } }] }];
  const body = { messages: [{ role: "user", content: "Go" }], thread_id: thread };
  return (await server.call(invoke, { as: "member", params: { id: "runner" }, method: "POST", body })).json();
}

const decide = (thread: string, asked: InvokeReply, decision: object) => {
  const decisions = [{ tool_call_id: asked.interrupts[0]?.tool_call_id, decision: "allow", ...decision }];
  const body = { thread_id: thread, decisions };
  return server.call(resume, { as: "member", params: { id: "runner" }, method: "POST", body });
};

const listed = async () => (await (await server.call(grants, { as: "member" })).json()).grants;

test("a pattern lets simple commands through that begin with it, and nothing else", async () => {
  const asked = await run("a", "echo one two");
  expect((await decide("a", asked, { scope: "pattern", pattern: "echo one" })).status).toBe(200);
  expect(await listed()).toMatchObject([{ tool: "execute", pattern: "echo one" }]);
  const next = await run("a", "echo one three");
  expect([next.status, next.tool_calls[0]?.output?.includes("one three")]).toEqual(["completed", true]);
  const event = await server.database.runEvent.findFirstOrThrow({ where: { runId: next.run_id, type: "grant.used" } });
  expect(JSON.parse(event.data)).toMatchObject({ pattern: "echo one" });
  for (const command of [
    "echo one; id",
    "echo one $(id)",
    "echo one | cat",
    "echo one > f",
    "echo two",
    "echo one\nid",
  ]) {
    const other = await run("a", command);
    expect([command, other.status]).toEqual([command, "waiting"]);
    await decide("a", other, { decision: "deny" });
  }
  const elsewhere = await run("b", "echo one two");
  expect(elsewhere.status).toBe("waiting");
});

test.each([
  [{ scope: "pattern" }, "echo hi", "pattern"],
  [{ scope: "pattern", pattern: "echo; id" }, "echo hi", "pattern"],
  [{ scope: "pattern", pattern: "ls" }, "echo hi", "pattern"],
  [{ scope: "pattern", pattern: "echo" }, "echo hi && id", "pattern"],
  [{ scope: "thread", pattern: "echo" }, "echo hi", "pattern"],
  [{ decision: "deny", scope: "pattern", pattern: "echo" }, "echo hi", "scope"],
])("%o on %j is refused", async (decision, command, field) => {
  const thread = `c-${command}-${JSON.stringify(decision)}`.replace(/\W/g, "").slice(0, 60);
  const reply = await decide(thread, await run(thread, command), decision);
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, `decisions.0.${field}`]);
});

test("a rule that is edited after the grant suspends it, and the list says so", async () => {
  const asked = await run("d", "echo d");
  await decide("d", asked, { scope: "pattern", pattern: "echo" });
  expect((await run("d", "echo more")).status).toBe("completed");
  const exact = await run("e", "echo exact");
  await decide("e", exact, { scope: "thread" });
  const change = { permissions: { ...permissions, deny: ["Bash(rm *)"] } };
  const reply = await server.call(changeAgent, {
    as: "admin",
    method: "PATCH",
    params: { id: "runner" },
    body: change,
  });
  expect(reply.status).toBe(200);
  expect((await run("d", "echo more")).status).toBe("waiting");
  expect((await run("e", "echo exact")).status).toBe("waiting");
  expect((await listed()).every(({ suspended }: { suspended?: true }) => suspended)).toBe(true);
  const back = { permissions: { ...permissions, deny: [] } };
  await server.call(changeAgent, { as: "admin", method: "PATCH", params: { id: "runner" }, body: back });
  expect((await listed()).some(({ suspended }: { suspended?: true }) => suspended)).toBe(false);
});
