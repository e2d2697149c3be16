// A bare process that executes a run with a subagent and kills itself with SIGKILL while the subagent works; see
// kill-subagent.test.ts. Arguments: database URL, file of side effects, thread of a new run ("" for none), and whether the
// parent is "calling" or "waiting" at the kill.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { startRun } from "@/lib/server/engine/accept";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import { RunHost } from "@/lib/server/engine/host";
import { runSubagents } from "@/lib/server/engine/run-subagents";
import { openDatabase } from "@/lib/server/platform/db/database";
import { offeredTaskTools } from "@/lib/server/tools/task-tools";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { historyHooks } from "@/lib/server/wiring/history-hooks";
import { SHORT_LEASE } from "@/lib/testing/processes/short-lease";

const [url = "", effectsFile = "", threadId = "", killWhen = ""] = process.argv.slice(2);
const database = await openDatabase(url);

async function dieWithParent(): Promise<void> {
  if (threadId === "") return;
  const status = killWhen === "waiting" ? "waiting" : "running";
  while ((await database.run.count({ where: { depth: 0, status } })) === 0) await sleep(5);
  process.kill(process.pid, "SIGKILL");
}

/** The parent delegates the work; the subagent changes something once and answers. */
const model: ModelPort = {
  name: "scripted:kill",
  async call({ messages }): Promise<ModelReply> {
    const isChild = messages[0]?.content === "work";
    const isFirst = !messages.some(({ role }) => role === "assistant");
    const args = { agent: "worker", description: "Work", prompt: "work" };
    const call = isChild ? { name: "change", args: {} } : { name: "task", args };
    if (isChild && !isFirst) await dieWithParent();
    return {
      content: isFirst ? "" : `${isChild ? "child" : "parent"} done`,
      reasoning: [],
      toolCalls: isFirst ? [{ ...call, id: "call_1", rawArgs: JSON.stringify(call.args) }] : [],
      finishReason: isFirst ? "tool-calls" : "stop",
      usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 1 },
      model: this.name,
      timeToFirstTokenMs: 0,
    };
  },
};

const change = defineTool({
  name: "change",
  description: "change",
  input: z.object({}),
  async execute(_args, { context }) {
    appendFileSync(effectsFile, `${context.runId}\n`);
    return "changed";
  },
});

const spans = new SpanBuffer(database);
const host = new RunHost({
  database,
  versionOfRun,
  historyHooks,
  build: async (run, version) => {
    const subagents = runSubagents(database, run, version, await offeredSubagents(database, version.config));
    const tools = [change, ...offeredTaskTools(version.config, subagents, () => null)];
    return { system: [], model, tools, hooks: [] };
  },
  traces: tracePort(database, spans),
  ...SHORT_LEASE,
});
await host.start();
if (threadId !== "") {
  const messages = [{ role: "user" as const, content: "Go" }];
  const { runId } = await startRun(database, { ownerId: "u1", threadId, agentId: "agent", messages });
  process.stdout.write(`${runId}\n`);
}
while ((await database.run.count({ where: { endedAt: null } })) > 0) await sleep(5);
await host.stop();
await spans.flush();
await database.close();
