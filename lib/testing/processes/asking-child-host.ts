// A bare process whose runs delegate to a subagent that needs an approval; see asking-child-kill.test.ts. With a
// thread it starts a run in it and kills itself with SIGKILL once parent and subagent wait; without one it brings
// every run to its end. Arguments: database URL, file of side effects, thread of a new run ("" for none).
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelPort } from "@/lib/agent/model";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
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
import { sendTool } from "@/lib/testing/fixtures/approval-parts";
import { SHORT_LEASE } from "@/lib/testing/processes/short-lease";

const [url = "", effectsFile = "", threadId = ""] = process.argv.slice(2);
const database = await openDatabase(url);

const model: ModelPort = {
  name: "scripted:asking",
  async call({ messages }): Promise<ModelReply> {
    const isChild = messages[0]?.content === "send it";
    const isFirst = !messages.some(({ role }) => role === "assistant");
    const task = { name: "task", args: { agent: "worker", description: "Send", prompt: "send it" } };
    const call = isChild ? { name: "send", args: { to: "ada" } } : task;
    return {
      content: isFirst ? "" : `${isChild ? "child" : "parent"} done`,
      reasoning: [],
      toolCalls: isFirst ? [{ ...call, id: "call_1", rawArgs: JSON.stringify(call.args) }] : [],
      finishReason: isFirst ? "tool-calls" : "stop",
      usage: NO_USAGE,
      model: this.name,
      timeToFirstTokenMs: 0,
    };
  },
};

const send = sendTool(effectsFile);
const spans = new SpanBuffer(database);
const host = new RunHost({
  database,
  versionOfRun,
  historyHooks,
  build: async (run, version) => {
    const subagents = runSubagents(database, run, version, await offeredSubagents(database, version.config));
    const tools = [send, ...offeredTaskTools(version.config, subagents, () => null)];
    const permissions = PermissionsConfig.parse({ enabled: true });
    return { system: [], model, tools, hooks: [permissionsHook({ permissions, workdir: "/workspace" })] };
  },
  traces: tracePort(database, spans),
  ...SHORT_LEASE,
});
await host.start();
if (threadId !== "") {
  const messages = [{ role: "user" as const, content: "Go" }];
  const { runId } = await startRun(database, { ownerId: "member", threadId, agentId: "sender", messages });
  process.stdout.write(`${runId}\n`);
  while ((await database.run.count({ where: { status: "waiting" } })) < 2) await sleep(5);
  process.kill(process.pid, "SIGKILL");
}
while ((await database.run.count({ where: { endedAt: null } })) > 0) await sleep(5);
await host.stop();
await spans.flush();
await database.close();
