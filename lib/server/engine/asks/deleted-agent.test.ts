import { expect, test } from "vitest";
import { DELETE as deleteAgent } from "@/app/agents/[id]/route";
import { POST as restoreAgent } from "@/app/api/agents/[agentId]/restore/route";
import { GET as inbox } from "@/app/api/approvals/route";
import { DELETE as deleteGroup } from "@/app/api/groups/[groupId]/route";
import { POST as addGroup } from "@/app/api/groups/route";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { childApprovalServer, delegates } from "@/lib/testing/fixtures/child-approval-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { expireApprovals } from "./expire-approvals";

const { server, newThread, say } = childApprovalServer({
  "Have a.txt written": [delegates("Write a.txt")],
  "Write a.txt": [writes("a.txt")],
  "Have b.txt written": [delegates("Write b.txt")],
  "Write b.txt": [writes("b.txt")],
});

/** Decides on the run's ask the way its page does. */
function allow(runId: string, toolCallId = "") {
  const body = { decisions: [{ tool_call_id: toolCallId, decision: "allow" }] };
  return server().call(decisions, { as: "member", params: { runId }, body });
}

async function waiting() {
  const reply = await server().call(inbox, { as: "member", path: "/api/approvals" });
  const { approvals } = (await reply.json()) as { approvals: { runId: string; agentDeleted?: boolean }[] };
  return approvals;
}

test.each([
  ["the agent of the thread", "boss"],
  ["the agent of the subagent that asks", "writer"],
])("nothing that waits is decided once %s was deleted, until it is back", async (_, id) => {
  const asked = await say("Have a.txt written", newThread());
  expect((await waiting()).map(({ agentDeleted }) => agentDeleted)).toEqual([undefined]);
  expect((await server().call(deleteAgent, { as: "admin", params: { id } })).status).toBe(204);
  expect(await waiting()).toMatchObject([{ agentDeleted: true }]);
  const refused = await allow(asked.run_id, asked.interrupts[0]?.tool_call_id);
  expect([refused.status, (await refused.json()).error]).toMatchObject([
    400,
    { code: "not_available", message: expect.stringContaining("was deleted") },
  ]);
  await server().call(restoreAgent, { as: "admin", params: { agentId: id }, method: "POST" });
  expect((await allow(asked.run_id, asked.interrupts[0]?.tool_call_id)).status).toBe(200);
  await server().call(cancel, { as: "member", params: { runId: asked.run_id }, method: "POST" });
});

test.each([
  ["the agent of the thread", "boss"],
  ["the agent of the subagent that asks", "writer"],
])("nothing that waits is decided once %s is limited to groups that its owner is not in", async (_, id) => {
  const asked = await say("Have a.txt written", newThread());
  const body = { name: `Group of ${id}`, agents: [id] };
  const { id: groupId } = await (await server().call(addGroup, { as: "admin", body })).json();
  expect(await waiting()).toMatchObject([{ agentDeleted: true }]);
  const refused = await allow(asked.run_id, asked.interrupts[0]?.tool_call_id);
  expect(await refused.json()).toMatchObject({ error: { code: "not_available" } });
  await server().call(deleteGroup, { as: "admin", method: "DELETE", params: { groupId }, body: { open: true } });
  expect((await allow(asked.run_id, asked.interrupts[0]?.tool_call_id)).status).toBe(200);
  await server().call(cancel, { as: "member", params: { runId: asked.run_id }, method: "POST" });
});

test("a run of a deleted agent that waits can be stopped", async () => {
  const asked = await say("Have a.txt written", newThread());
  await server().call(deleteAgent, { as: "admin", params: { id: "boss" } });
  const stopped = await server().call(cancel, { as: "member", params: { runId: asked.run_id }, method: "POST" });
  expect(stopped.status).toBe(200);
  expect(await waiting()).toEqual([]);
  await server().call(restoreAgent, { as: "admin", params: { agentId: "boss" }, method: "POST" });
});

test.each([
  ["the agent of the thread", "boss", "cancelled"],
  ["the agent of the subagent that asks", "writer", "completed"],
])(
  "an ask that expires ends the run when %s (%s) was deleted, and the thread's run is %s",
  async (_, id, parentStatus) => {
    const { database, provider } = server();
    const asked = await say("Have b.txt written", newThread());
    expect((await server().call(deleteAgent, { as: "admin", params: { id } })).status).toBe(204);
    const before = provider.requests.length;
    await database.approval.updateMany({ where: { status: "pending" }, data: { expiresAt: new Date(0) } });
    await expireApprovals(database, Date.now());
    await reached(async () => (await database.run.count({ where: { endedAt: null } })) === 0);
    const parent = await database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
    expect(parent.status).toBe(parentStatus);
    const child = await database.run.findFirstOrThrow({ where: { parentRunId: asked.run_id } });
    expect(child).toMatchObject({ status: "cancelled", cancelledBy: "the deleted agent" });
    // Only an agent that still exists continues.
    expect(provider.requests.length - before).toBe(id === "boss" ? 0 : 1);
    const approval = await database.approval.findFirstOrThrow({ where: { runId: child.id } });
    expect(approval).toMatchObject({ status: "expired", decidedVia: "time" });
    const result = await database.message.findFirstOrThrow({ where: { runId: child.id, role: "tool" } });
    expect(result.content).toMatch(/^expired: nobody decided on this call in time, and the agent was deleted/);
    const audit = { action: "approval.expired", target: `approval:${approval.id}` };
    expect(await database.auditEntry.count({ where: audit })).toBe(1);
    const spans = { runId: child.id, OR: [{ status: { in: ["waiting", "running"] } }, { endedAt: null }] };
    await expect.poll(() => database.span.count({ where: spans })).toBe(0);
    const late = await allow(asked.run_id, asked.interrupts[0]?.tool_call_id);
    expect(late.status).toBe(409);
    await server().call(restoreAgent, { as: "admin", params: { agentId: id }, method: "POST" });
  },
);
