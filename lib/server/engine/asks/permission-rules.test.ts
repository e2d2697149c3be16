import { beforeAll, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as testRule } from "@/app/api/agents/[agentId]/permissions/test/route";
import type { PermissionTestReply } from "@/lib/schema/agents/permission";
import { createAgent } from "@/lib/server/agents/publish-version";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

/** Paths that exist in no workspace. */
const OUTSIDE = ["../a.txt", "x/../../a.txt", "/workspace/../a.txt"];

const { server, newThread, say } = approvalServer({
  "Write a secret": [writes("/workspace/secrets/a.txt")],
  "Write another secret": [writes("secrets/b.txt")],
  "Write in public": [writes("public/a.txt")],
  ...Object.fromEntries(OUTSIDE.map((path) => [`Write ${path}`, [writes(path)]])),
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: ["calculate"] };
  const secrets = { tool: "Write", args: { file_path: "secrets/**" }, message: "Not there. Use public/." };
  const rules = { enabled: true, mode: "bypass", deny: [secrets] };
  await createAgent(server().services, {
    agentId: "guarded",
    raw: { ...base, name: "Guarded", permissions: rules },
    createdById: null,
  });
});

/** The verdict of a draft's rules, over HTTP. */
async function verdictOf(permissions: object, tool: string, args: object = {}): Promise<PermissionTestReply> {
  const yaml = JSON.stringify({
    name: "Draft",
    backend: { type: "state" },
    tools: ["calculate", "current_datetime", "ask_user", "memory_*"],
    memory: { paths: ["AGENTS.md"] },
    subagents: [{ name: "helper", description: "Helps", prompt: "You help." }],
    permissions: { enabled: true, ...permissions },
  });
  const body = { tool, args, yaml };
  const reply = await server().call(testRule, { as: "admin", method: "POST", params: { agentId: "asks" }, body });
  expect(reply.status).toBe(200);
  return reply.json();
}

const READS = ["ls", "read_file", "glob", "grep", "calculate", "current_datetime"];
const MODES = ["default", "accept_edits", "plan", "bypass"] as const;
const ALWAYS = ["allow", "allow", "allow", "allow"];

// `execute` needs a sandbox and `skill_search` a skill: explain-permission.test.ts has them.
test.each([
  ...[...READS, "memory_read", "memory_search", "task_status"].map((tool) => [tool, ALWAYS] as const),
  ...["write_todos", "ask_user", "task"].map((tool) => [tool, ALWAYS] as const),
  ...["write_file", "edit_file", "memory_append"].map((tool) => [tool, ["ask", "allow", "deny", "allow"]] as const),
  ...["memory_write", "task_cancel"].map((tool) => [tool, ["ask", "ask", "deny", "allow"]] as const),
])("%s in the modes default, accept_edits, plan and bypass: %o", async (tool, verdicts) => {
  const found = await Promise.all(MODES.map((mode) => verdictOf({ mode }, tool)));
  expect(found.map(({ verdict }) => verdict)).toEqual(verdicts);
  expect(found.map(({ offered }) => offered)).toEqual([true, true, verdicts[2] !== "deny", true]);
});

test("a draft decides, not what is published; a wrong draft is refused by its field", async () => {
  expect(await verdictOf({ ask: ["Write"] }, "write_file")).toMatchObject({ verdict: "ask", by: "ask", rule: "Write" });
  expect(await verdictOf({ enabled: false }, "Write")).toMatchObject({ verdict: "allow", by: "off" });
  const body = { tool: "ls", yaml: "name: X\npermissions: {mod: plan}" };
  const wrong = await server().call(testRule, { as: "admin", method: "POST", params: { agentId: "asks" }, body });
  expect([wrong.status, JSON.stringify(await wrong.json())]).toEqual([400, expect.stringContaining("permissions")]);
});

test("a deny rule with a glob on an aliased argument stops that path only, with its own text, even in bypass", async () => {
  const denied = await say("Write a secret", newThread(), "guarded");
  expect(denied).toMatchObject({ status: "completed", files: {} });
  expect(denied.tool_calls[0]?.error).toBe("Not there. Use public/.");
  const allowed = await say("Write in public", newThread(), "guarded");
  expect(Object.keys(allowed.files)).toEqual(["public/a.txt"]);
});

test.each(OUTSIDE)("nobody is asked whether %s may be written, for it never can", async (path) => {
  const refused = await say(`Write ${path}`, newThread());
  expect(refused).toMatchObject({ status: "completed", interrupts: [], files: {} });
  expect(refused.tool_calls[0]?.error).toBe('A path must not contain "..".');
});

test("a call that a rule refuses is not a failure in the trace", async () => {
  const body = { messages: [{ role: "user", content: "Write another secret" }] };
  const reply = await server().call(invoke, { as: "member", method: "POST", params: { id: "guarded" }, body });
  const { run_id: runId } = await reply.json();
  const span = async () => server().database.span.findFirst({ where: { runId, name: "tool.call" } });
  await expect.poll(async () => (await span())?.status).toBe("cancelled");
  expect(JSON.parse((await span())?.attributes ?? "{}")).toMatchObject({ refused: "rule", permission_by: "deny" });
});
