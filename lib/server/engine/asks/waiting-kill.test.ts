import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { addAgent, addThread, eventsToEnd, testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";
import { runProcess } from "@/lib/testing/processes/start-process";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
let effects = "";
beforeEach(async () => {
  server = await startTestServer();
  effects = path.join(server.dataDirectory, "effects");
  await addAgent(server.database, "sender", { name: "Sender", model: "scripted:approval" });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "sender" });
});
afterEach(() => server.close());

/** Runs a host in its own process until it is killed; returns the run it started. */
async function runUntilKilled(threadId: string, place: string): Promise<string> {
  const ended = await runProcess(
    "lib/testing/processes/approval-host.ts",
    server.databaseUrl,
    effects,
    threadId,
    place,
  );
  expect(ended).toMatchObject({ signal: "SIGKILL", errors: "" });
  return ended.output.trim();
}

async function allow(runId: string): Promise<Response> {
  const body = { decisions: [{ tool_call_id: "call_1", decision: "allow" }] };
  return server.call(decisions, { as: "member", method: "POST", params: { runId }, body });
}

/** Lets a new host finish the run; returns the tool's result. */
async function finish(runId: string): Promise<string> {
  const host = testHost(server.database, { ...approvalParts(effects, () => undefined), beatMs: 250 });
  await takeJobsOfDeadWorkers(server.database);
  await host.start();
  await eventsToEnd(server.database, runId);
  await host.stop();
  const row = await server.database.message.findFirstOrThrow({ where: { runId, role: "tool" } });
  expect((await server.database.run.findUniqueOrThrow({ where: { id: runId } })).status).toBe("completed");
  return row.content;
}

const timeout = 60_000;

test("a run that waits survives kill -9 and a decision without any host; the approved call runs exactly once", {
  timeout,
}, async () => {
  const runId = await runUntilKilled("th1", "waiting");
  expect(existsSync(effects)).toBe(false);
  expect((await allow(runId)).status).toBe(200);
  expect((await allow(runId)).status).toBe(409);
  expect(await finish(runId)).toBe("sent to ada");
  expect(readFileSync(effects, "utf8")).toBe(`${runId} ada\n`);
});

test("a process that is killed within the approved call never runs it a second time", { timeout }, async () => {
  const runId = await runUntilKilled("th1", "waiting");
  await allow(runId);
  await runUntilKilled("", "approved");
  expect(await finish(runId)).toBe("interrupted: outcome unknown, check before repeating");
  expect(readFileSync(effects, "utf8")).toBe(`${runId} ada\n`);
});
