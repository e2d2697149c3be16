import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { createAgent } from "@/lib/server/agents/publish-version";
import { testHost } from "@/lib/testing/fixtures/run-fixture";
import { addSpan, addTrace, START } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent({ agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

test("a starting process ends the spans whose run ended just before another process was killed", async () => {
  const { database } = server;
  for (const name of ["ended", "open"]) {
    await addTrace(server, name, name === "open" ? { status: "waiting", open: true } : {});
    await addSpan(server, name, { id: `sp_run_${name}`, type: "agent" });
    await addSpan(server, name, { id: `call_${name}`, type: "tool" });
  }
  await addSpan(server, "ended", { id: "late", type: "summary" });
  await database.span.updateMany({ data: { status: "running", endedAt: null } });
  const endedAt = new Date(START + 1_500);
  await database.span.update({ where: { id: "late" }, data: { startedAt: new Date(START + 2_000) } });
  await database.run.update({ where: { id: "run_ended" }, data: { endedAt } });

  const host = testHost(database, { model: scriptedModel([]) });
  await host.start();
  await host.stop();

  const spans = await database.span.findMany({
    orderBy: { id: "asc" },
    select: { id: true, status: true, endedAt: true },
  });
  expect(spans).toEqual([
    { id: "call_ended", status: "interrupted", endedAt },
    { id: "call_open", status: "running", endedAt: null },
    { id: "late", status: "running", endedAt: null },
    { id: "sp_run_ended", status: "completed", endedAt },
    { id: "sp_run_open", status: "running", endedAt: null },
  ]);
});
