import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as resume } from "@/app/agents/[id]/resume/route";
import { GET as inbox } from "@/app/api/approvals/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import { startTestServer, type TestServer } from "@/lib/testing/test-server";

const REGISTER = path.resolve("scripts/register-typescript.mjs");
const HOST = path.resolve("lib/testing/asking-child-host.ts");

let server: TestServer;
let effects = "";
beforeEach(async () => {
  server = await startTestServer();
  effects = path.join(server.dataDirectory, "effects");
  const { database } = server;
  const subagents = [{ name: "worker", prompt: "You send." }];
  const config = JSON.stringify({ name: "Sender", model: "scripted:asking", subagents });
  await database.agent.create({ data: { id: "sender" } });
  await database.agentVersion.create({ data: { id: "av1", agentId: "sender", number: 1, config, configHash: "x" } });
  await database.agent.update({ where: { id: "sender" }, data: { currentVersionId: "av1" } });
  await database.thread.create({ data: { id: "th1", ownerId: "member", agentId: "sender", clientId: "mine" } });
});
afterEach(() => server.close());

/** A process of its own; `ended` gives how it ended and what it has printed. */
function startHost(threadId: string) {
  const args = ["--no-warnings", "--import", REGISTER, HOST, server.databaseUrl, effects, threadId];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  return once(child, "close").then(([code, signal]) => ({ code, signal, runId: output.trim() }));
}

const decision = { tool_call_id: "call_1", decision: "allow" };
const DECIDE = {
  "the parent's id": (runId: string) =>
    server.call(decisions, { as: "member", params: { runId }, body: { decisions: [decision] } }),
  "/resume on the parent's thread": () =>
    server.call(resume, {
      as: "member",
      params: { id: "sender" },
      path: "/agents/sender/resume",
      body: { thread_id: "mine", decisions: [decision] },
    }),
};

test.each(Object.entries(DECIDE))(
  "a subagent's ask outlives kill -9 and is answered by %s; its call runs exactly once",
  { timeout: 60_000 },
  async (_, decideOn) => {
    const { signal, runId } = await startHost("th1");
    expect([signal, existsSync(effects)]).toEqual(["SIGKILL", false]);
    const listed = await (await server.call(inbox, { as: "member" })).json();
    expect(listed).toMatchObject({ total: 1, approvals: [{ threadId: "th1", subagent: "worker", tool: "send" }] });
    const next = startHost("");
    expect((await decideOn(runId)).status).toBe(200);
    expect((await next).code).toBe(0);
    expect((await decideOn(runId)).status).toBe(409);
    const child = await server.database.run.findFirstOrThrow({ where: { parentRunId: runId } });
    expect(readFileSync(effects, "utf8")).toBe(`${child.id} ada\n`);
    const last = await server.database.message.findFirstOrThrow({ where: { runId }, orderBy: { position: "desc" } });
    expect(last.content).toBe("parent done");
  },
);
