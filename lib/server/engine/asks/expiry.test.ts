import { beforeAll, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as grants } from "@/app/api/grants/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { eventsToEnd } from "@/lib/testing/fixtures/run-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";
import { expireApprovals } from "./expire-approvals";

const { server, newThread, say, lastMessages } = approvalServer({
  "Write a.txt": [writes("a.txt")],
  "Write a.txt twice": [writes("a.txt"), writes("a.txt")],
  "Write b.txt and c.txt": [writes("b.txt", "c.txt")],
  "Write d.txt": [writes("d.txt")],
  "Ask me": [{ calls: [{ name: "ask_user", args: { questions: [{ question: "Which?" }] } }] }],
});

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  const permissions = { enabled: true, ask: ["write_file"], approval_ttl_hours: 2, grant_ttl_days: 3 };
  const raw = {
    name: "Hasty",
    model: "scripted:m",
    backend: { type: "state" },
    tools: ["ask_user"],
    permissions,
  };
  await createAgent(server().services, { agentId: "hasty", raw, createdById: null });
});

const hoursLater = (hours: number) => Date.now() + hours * HOUR_MS;
const decideOn = (runId: string, decision: object) =>
  server().call(decisions, { as: "member", method: "POST", params: { runId }, body: { decisions: [decision] } });

/** The expiry times of the run's asks, stored in the transaction that made it wait. */
async function alarmsOf({ run_id: runId }: InvokeReply): Promise<number[]> {
  const { database } = server();
  const isSqlite = database.dialect.provider === "sqlite";
  const rows = await database.raw<{ at: string }>(
    isSqlite
      ? `select "at" from "timer" where "task" = 'expiry' and "data" like '%' || $1 || '%'`
      : `select start_after as "at" from pgboss.job where data ->> 'task' = 'expiry' and data::text like '%' || $1 || '%'`,
    [runId],
  );
  return rows.map(({ at }) => Date.parse(at));
}

async function rowOf({ run_id: runId }: InvokeReply) {
  return server().database.approval.findFirstOrThrow({ where: { runId } });
}

test("an ask says when it expires; until then it waits, afterwards the run continues without it", async () => {
  const asked = await say("Write a.txt twice", newThread(), "hasty");
  const [{ expires_at: expiresAt = "" } = {}] = asked.interrupts;
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(1.9 * HOUR_MS);
  expect(await alarmsOf(asked)).toEqual([Date.parse(expiresAt)]);
  await expireApprovals(server().database, hoursLater(1.99));
  expect((await rowOf(asked)).status).toBe("pending");
  await expireApprovals(server().database, hoursLater(2.01));
  expect(await rowOf(asked)).toMatchObject({ status: "expired", decidedBy: null, decidedVia: "time" });
  const events = await eventsToEnd(server().database, asked.run_id);
  expect(events.at(-1)?.event).toMatchObject({ type: "run.completed", status: "completed" });
  const results = lastMessages().filter(({ role }) => role === "tool");
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^The approval expired: nobody decided on this call in time/),
    expect.stringMatching(/^The approval expired.*It was not asked again\.$/s),
  ]);
  const { target, details } = await server().database.auditEntry.findFirstOrThrow({
    where: { action: "approval.expired" },
  });
  expect([target, JSON.parse(details).runId]).toEqual([`approval:${(await rowOf(asked)).id}`, asked.run_id]);
  const late = await decideOn(asked.run_id, { tool_call_id: idsOf(asked)[0], decision: "allow" });
  expect([late.status, (await late.json()).error.message]).toEqual([409, expect.stringMatching(/it has expired/)]);
});

test("questions expire too, and what a person has decided before does not", async () => {
  const question = await say("Ask me", newThread(), "hasty");
  const two = await say("Write b.txt and c.txt", newThread(), "hasty");
  await decideOn(two.run_id, { tool_call_id: idsOf(two)[0], decision: "allow" });
  await expireApprovals(server().database, hoursLater(3));
  for (const { run_id: runId } of [question, two]) await eventsToEnd(server().database, runId);
  const rows = await server().database.approval.findMany({
    where: { runId: { in: [question.run_id, two.run_id] } },
    orderBy: { createdAt: "asc" },
  });
  expect(rows.map(({ status }) => status).toSorted()).toEqual(["approved", "expired", "expired"]);
  const written = await server().database.workspaceFile.findMany({ where: { path: { in: ["b.txt", "c.txt"] } } });
  expect(written.map(({ path }) => path)).toEqual(["b.txt"]);
});

test("without a time to live nothing ever expires", async () => {
  const asked = await say("Write a.txt", newThread());
  expect(asked.interrupts[0]).not.toHaveProperty("expires_at");
  await expireApprovals(server().database, hoursLater(24 * 365 * 10));
  expect((await rowOf(asked)).status).toBe("pending");
});

test("a grant holds for as long as the agent's permissions say", async () => {
  const thread = newThread();
  const asked = await say("Write d.txt", thread, "hasty");
  await decideOn(asked.run_id, { tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" });
  await eventsToEnd(server().database, asked.run_id);
  const { grants: all } = await (await server().call(grants, { as: "member" })).json();
  const lastsMs = Date.parse(all[0].expiresAt) - Date.parse(all[0].createdAt);
  expect(lastsMs).toBe(3 * 24 * HOUR_MS);
  await server().database.grant.update({ where: { id: all[0].id }, data: { expiresAt: new Date() } });
  const body = { messages: [{ role: "user", content: "Write d.txt" }], thread_id: thread };
  const again = await server().call(invoke, { as: "member", params: { id: "hasty" }, method: "POST", body });
  expect((await again.json()).status).toBe("waiting");
});
