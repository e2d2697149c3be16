import { expect, test } from "vitest";
import { claimRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { type NewSpan, upsertSpansStatement } from "@/lib/server/platform/db/queries/spans";
import { upsertTrace } from "@/lib/server/platform/db/queries/traces";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database } = runDatabase();

test("a process that has lost its run leaves nothing of the run's trace running", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "go");
  await claimRun(database(), { runId, owner: "frozen", isRetry: false });
  const span = (id: string): NewSpan => ({
    id,
    traceId: "tr",
    runId,
    parentId: null,
    type: "llm",
    name: "model",
    status: "running",
    error: null,
    attributes: {},
    startedAtMs: 1_000,
    endedAtMs: null,
    epoch: 1,
  });
  await database().runAll([upsertSpansStatement(database(), [span("known")])]);
  await claimRun(database(), { runId, owner: "another", isRetry: true });
  await database().span.update({ where: { id: "known" }, data: { status: "interrupted", endedAt: new Date(2_000) } });
  const version = await database().agentVersion.findFirstOrThrow();
  const start = {
    startedAt: new Date(),
    origin: "chat",
    originDetails: null,
    apiKeyId: null,
    projectId: null,
    firstLine: null,
    attended: true,
  };
  const trace = { id: "tr", runId, ownerId: "u1", threadId: "th1", agentId: "agent", ...start };
  await upsertTrace(database(), { ...trace, agentVersionId: version.id, agentVersion: 1 }, 2);
  await database().trace.update({ where: { id: "tr" }, data: { status: "completed" } });
  await upsertTrace(database(), { ...trace, agentVersionId: version.id, agentVersion: 1 }, 1);
  const late = [span("known"), span("new"), { ...span("done"), status: "completed", endedAtMs: 3_000 }];
  await database().runAll([upsertSpansStatement(database(), late)]);
  const spans = await database().span.findMany({ orderBy: { id: "asc" }, select: { id: true, status: true } });
  expect(spans).toEqual([
    { id: "done", status: "completed" },
    { id: "known", status: "interrupted" },
    { id: "new", status: "interrupted" },
  ]);
  expect(await database().span.count({ where: { endedAt: null } })).toBe(0);
  expect(await database().trace.findUnique({ where: { id: "tr" } })).toMatchObject({ status: "completed" });
});
