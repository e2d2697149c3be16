import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import { GET as inbox } from "@/app/api/approvals/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
let effects = "";
beforeEach(async () => {
  server = await startTestServer();
  effects = path.join(server.dataDirectory, "effects");
  const subagents = [{ name: "worker", prompt: "You send." }];
  await addAgent(server.database, "sender", { name: "Sender", model: "scripted:asking", subagents });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "sender" });
});
afterEach(() => server.close());

const runHost = (threadId: string) =>
  runProcess("lib/testing/processes/asking-child-host.ts", server.databaseUrl, effects, threadId);

const decision = { tool_call_id: "call_1", decision: "allow" };
const DECIDE = {
  "the parent's id": (runId: string) =>
    server.call(decisions, { as: "member", params: { runId }, body: { decisions: [decision] } }),
  "/resume on the parent's thread": () =>
    server.call(resume, {
      as: "member",
      params: { id: "sender" },
      path: "/agents/sender/resume",
      body: { thread_id: "th1", decisions: [decision] },
    }),
};

test.each(Object.entries(DECIDE))(
  "a subagent's ask outlives kill -9 and is answered by %s; its call runs exactly once",
  { timeout: 60_000 },
  async (_, decideOn) => {
    const { signal, output, errors } = await runHost("th1");
    expect([signal, errors, existsSync(effects)]).toEqual(["SIGKILL", "", false]);
    const runId = output.trim();
    const listed = await (await server.call(inbox, { as: "member" })).json();
    expect(listed).toMatchObject({ total: 1, approvals: [{ threadId: "th1", subagent: "worker", tool: "send" }] });
    const next = runHost("");
    expect((await decideOn(runId)).status).toBe(200);
    expect(await next).toMatchObject({ code: 0, errors: "" });
    expect((await decideOn(runId)).status).toBe(409);
    const child = await server.database.run.findFirstOrThrow({ where: { parentRunId: runId } });
    expect(readFileSync(effects, "utf8")).toBe(`${child.id} ada\n`);
    const last = await server.database.message.findFirstOrThrow({ where: { runId }, orderBy: { position: "desc" } });
    expect(last.content).toBe("parent done");
  },
);
