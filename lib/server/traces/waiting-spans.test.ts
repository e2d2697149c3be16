import { expect, test } from "vitest";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { childApprovalServer, delegates } from "@/lib/testing/fixtures/child-approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const { server, newThread, say } = childApprovalServer({
  "Have a.txt written": [delegates("Write a.txt")],
  "Write a.txt": [writes("a.txt")],
});

/** The spans of a run's trace that are not model calls, as `name status error`, once all are stored. */
async function spansOf(traceId: string): Promise<string[]> {
  const where = { traceId, type: { not: "llm" } };
  const rows = await server().database.span.findMany({ where, orderBy: [{ startedAt: "asc" }, { id: "asc" }] });
  return rows.map(
    ({ name, status, error, endedAt }) => `${name} ${endedAt === null ? "open" : status} ${error ?? "-"}`,
  );
}

test.each([
  ["a new message", "declined: the user sent a new message instead of deciding on this call"],
  ["a stop", "cancelled: the run was stopped before the user had decided on this call"],
])("%s instead of a decision ends the spans of the run and of the subagent that asked", async (way, ofParent) => {
  const thread = newThread();
  const asked = await say("Have a.txt written", thread);
  if (way === "a stop") {
    await server().call(cancel, { as: "member", params: { runId: asked.run_id }, method: "POST" });
  } else await say("never mind", thread);
  const ofChild = "cancelled: the run was stopped before the user had decided on this call";
  await expect
    .poll(() => spansOf(asked.trace_id ?? ""))
    .toEqual([
      "boss cancelled -",
      `tool.call cancelled ${ofParent}`,
      "writer cancelled -",
      `tool.call cancelled ${ofChild}`,
    ]);
});

test("the row of an ended run has the time that its subagent waited for a person, and the time it worked", async () => {
  const thread = newThread();
  const id = (await say("Have a.txt written", thread)).trace_id ?? "";
  await say("never mind", thread);
  const { startedAt, endedAt, ...times } = await server().database.trace.findUniqueOrThrow({ where: { id } });
  const tookMs = (endedAt?.getTime() ?? 0) - startedAt.getTime();
  expect(times.waitedMs).toBeGreaterThan(0);
  expect(times.workedMs).toBeGreaterThanOrEqual(0);
  expect(times.waitedMs).toBeLessThanOrEqual(tookMs);
});
