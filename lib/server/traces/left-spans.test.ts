import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { createAgent } from "@/lib/server/agents/publish-version";
import { testHost } from "@/lib/testing/fixtures/run-fixture";
import { addSpan, addTrace, START } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

test("a starting process ends the spans whose run ended just before another process was killed", async () => {
  const { database } = server;
  for (const name of ["compacting", "ended", "open"]) {
    await addTrace(server, name, name === "open" ? { status: "waiting", open: true } : {});
    await addSpan(server, name, { id: `sp_run_${name}`, type: "agent" });
    await addSpan(server, name, { id: `call_${name}`, type: "tool" });
  }
  await addSpan(server, "ended", { id: "late_ended", type: "summary" });
  await addSpan(server, "compacting", { id: "late_compacting", type: "summary" });
  await database.span.updateMany({ data: { status: "running", endedAt: null } });
  const endedAt = new Date(START + 1_500);
  const late = { startedAt: new Date(START + 2_000) };
  await database.span.updateMany({ where: { id: { startsWith: "late" } }, data: late });
  await database.run.updateMany({ where: { id: { in: ["run_compacting", "run_ended"] } }, data: { endedAt } });
  const { threadId: id } = await database.run.findUniqueOrThrow({ where: { id: "run_compacting" } });
  await database.thread.update({ where: { id }, data: { compactionUntil: new Date(Date.now() + 60_000) } });

  const host = testHost(database, { model: scriptedModel([]) });
  await host.start();
  await host.stop();

  const spans = await database.span.findMany({
    orderBy: { id: "asc" },
    select: { id: true, status: true, endedAt: true },
  });
  expect(spans).toEqual([
    { id: "call_compacting", status: "interrupted", endedAt },
    { id: "call_ended", status: "interrupted", endedAt },
    { id: "call_open", status: "running", endedAt: null },
    { id: "late_compacting", status: "running", endedAt: null },
    { id: "late_ended", status: "interrupted", endedAt: late.startedAt },
    { id: "sp_run_compacting", status: "completed", endedAt },
    { id: "sp_run_ended", status: "completed", endedAt },
    { id: "sp_run_open", status: "running", endedAt: null },
  ]);
});
