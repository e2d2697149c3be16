import { expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { deleteTracesBefore, purgeTracesOfOwner } from "@/lib/server/platform/db/queries/retention/purge";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";

const { server, newThread, say } = approvalServer({
  Work: [{ calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Help" } }] }, { text: "done" }],
  Help: [{ text: "helped" }],
});
const pace = { rest: async () => true };

/** Two runs of one agent within an hour, one of them with a subagent. */
async function twoRuns() {
  const helper = { name: "helper", description: "Helps.", prompt: "You help." };
  const raw = { name: "Worker", model: "scripted:m", retries: 0, system_prompt: "You work.", subagents: [helper] };
  await createAgent({ agentId: "worker", raw, createdById: null });
  await say("Work", newThread(), "worker");
  await say("Help", newThread(), "worker");
}

test("the end of a run is counted in its hour, and that of a subagent within its parent", async () => {
  await twoRuns();
  const hours = await server().database.traceHour.findMany();
  expect(hours.reduce((sum, { runs }) => sum + runs, 0)).toBe(2);
  const [hour] = hours;
  expect(hour).toMatchObject({ ownerId: "member", agentId: "worker", status: "completed" });
  expect(hour?.hour.getTime()).toBe(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  for (const { bucket, runs, workedMs } of hours) {
    expect(workedMs).toBeLessThan(runs * 2 ** bucket);
    expect(workedMs).toBeGreaterThanOrEqual(bucket === 0 ? 0 : runs * 2 ** (bucket - 1));
  }
  const tokens = await server().database.trace.aggregate({ _sum: { inputTokens: true } });
  expect(hours.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(tokens._sum.inputTokens);

  await deleteTracesBefore(server().database, new Date("2100-01-01"), pace, { except: ["worker"] });
  expect(await server().database.traceHour.count()).toBe(hours.length);
  await deleteTracesBefore(server().database, new Date("2100-01-01"), pace, { only: ["worker"] });
  expect(await server().database.traceHour.count()).toBe(0);
});

test("what was counted of a person goes with their traces", async () => {
  await say("Help", newThread(), "worker");
  expect(await server().database.traceHour.count()).toBe(1);
  await purgeTracesOfOwner(server().database, "member", pace);
  expect(await server().database.traceHour.count()).toBe(0);
});
