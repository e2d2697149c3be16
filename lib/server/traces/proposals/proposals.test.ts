import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import { PATCH as patchProposal } from "@/app/api/permissions/proposals/[id]/route";
import { GET as getProposals } from "@/app/api/permissions/proposals/route";
import type { Proposal, ProposalList } from "@/lib/schema/permissions/proposals";
import type { Role } from "@/lib/schema/users/user";
import { discardDraft, getDraft } from "@/lib/server/agents/drafts/agent-draft";
import { createAgent } from "@/lib/server/agents/publish-version";
import { setMasks } from "@/lib/server/platform/masking";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { testViewer } from "@/lib/testing/fixtures/test-viewer";
import { writes } from "@/lib/testing/servers/scripted-turns";

const AGENT = "careful";
const { server, newThread, say } = approvalServer({
  "Write a": [writes("a.txt"), { text: "done" }],
  "Write b": [writes("b.txt"), { text: "done" }],
});

const ask = (agentId = AGENT, as: Role = "admin") =>
  server().call(getProposals, { as, path: `/api/permissions/proposals?agentId=${agentId}` });
const proposals = async (agentId = AGENT): Promise<Proposal[]> => {
  const reply = await ask(agentId);
  expect(reply.status).toBe(200);
  return ((await reply.json()) as ProposalList).proposals;
};
const decide = (id: string, state: string, as: Role = "admin") =>
  server().call(patchProposal, { as, method: "PATCH", params: { id }, body: { state } });

async function answer(words: string, decision: object): Promise<void> {
  const thread = newThread();
  const [id = ""] = idsOf(await say(words, thread, AGENT));
  const body = { thread_id: thread, decisions: [{ tool_call_id: id, ...decision }] };
  const path = `/agents/${AGENT}/resume`;
  const reply = await server().call(resume, { as: "member", params: { id: AGENT }, method: "POST", path, body });
  expect(reply.status).toBe(200);
}

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, backend: { type: "state" } };
  const raw = { ...base, name: "Careful", permissions: { enabled: true } };
  await createAgent(server().services, { agentId: AGENT, raw, createdById: null });
  for (let at = 0; at < 5; at += 1) {
    await answer("Write a", { decision: "allow" });
    await answer("Write b", at < 4 ? { decision: "allow" } : { decision: "deny", reason: "no" });
  }
  const { database } = server();
  await vi.waitUntil(async () => (await database.call.count({ where: { decision: { not: null } } })) === 10, 10_000);
  // What a proposal needs later than a day.
  await database.runEvent.deleteMany();
});
afterEach(async () => {
  setMasks([]);
  const { database } = server();
  await database.dismissedProposal.deleteMany();
  await discardDraft(server().services, AGENT, testViewer("admin", "admin"));
});

test("what people allowed five times and never denied is proposed, with what the rule would have done", async () => {
  const [found, ...others] = await proposals();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    ...{ tool: "write_file", pattern: "path: a.txt", scope: "arguments", calls: 5, people: 1, onlyBy: "The member" },
    rule: { tool: "write_file", args: { path: "a.txt" } },
    whatIf: { promptsSaved: 5, newlyAllowed: 5, deniedByPeople: 0 },
  });
  expect(found?.examples).toHaveLength(3);
  expect(found?.since).toBe(
    (await server().database.call.findFirstOrThrow({ orderBy: { startedAt: "asc" } })).startedAt.toISOString(),
  );
});

test("an accepted rule is in the draft, beside what is there, audited, and no longer proposed", async () => {
  const [{ id = "" } = {}] = await proposals();
  expect((await decide(id, "accepted")).status).toBe(200);
  const { config } = await getDraft(server().services, AGENT);
  expect(config).toMatchObject({
    name: "Careful",
    permissions: { enabled: true, allow: [{ tool: "write_file", args: { path: "a.txt" } }] },
  });
  expect(await proposals()).toEqual([]);
  expect((await decide(id, "accepted")).status).toBe(404);
  const entry = await server().database.auditEntry.findFirstOrThrow({ where: { action: "agent.proposal_accepted" } });
  expect(entry).toMatchObject({ actorId: "admin", target: `agent:${AGENT}` });
  await discardDraft(server().services, AGENT, testViewer("admin", "admin"));
  expect(await proposals()).toHaveLength(1);
});

test("a dismissed proposal does not come back", async () => {
  const [{ id = "" } = {}] = await proposals();
  expect((await decide(id, "dismissed")).status).toBe(200);
  expect(await proposals()).toEqual([]);
  expect((await decide(id, "accepted")).status).toBe(404);
});

test("a rule that would save no prompt is not proposed", async () => {
  const raw = { name: "Strict", model: "scripted:m", permissions: { enabled: true, ask: ["write_file"] } };
  await createAgent(server().services, { agentId: "strict", raw, createdById: null });
  const { database } = server();
  await database.call.updateMany({ data: { agentId: "strict" } });
  expect(await proposals("strict")).toEqual([]);
  await database.call.updateMany({ data: { agentId: AGENT } });
  expect(await proposals()).toHaveLength(1);
});

test("nothing is proposed whose text is masked", async () => {
  setMasks([(text) => text.replaceAll("a.txt", "[file]")]);
  expect(await proposals()).toEqual([]);
});

test("only administrators see and decide proposals; an unknown one is not found", async () => {
  const [{ id = "" } = {}] = await proposals();
  for (const as of ["member", "viewer"] as const) {
    expect((await ask(AGENT, as)).status).toBe(403);
    expect((await decide(id, "accepted", as)).status).toBe(403);
  }
  expect((await ask("nobody")).status).toBe(404);
  expect((await decide("pp_broken", "accepted")).status).toBe(404);
  expect((await decide(id, "open")).status).toBe(400);
});
