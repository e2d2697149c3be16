// A bare process that executes runs and kills itself with SIGKILL at a given point; see kill.test.ts. Arguments:
// database URL, file of side effects, thread of a new run ("" for none), place and step of the kill.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import { startRun } from "@/lib/server/engine/accept";
import { RunHost } from "@/lib/server/engine/host";
import { openDatabase } from "@/lib/server/platform/db/database";
import { tracePort } from "@/lib/server/traces/open-trace";
import { SpanBuffer } from "@/lib/server/traces/recorder";
import { historyHooks } from "@/lib/server/wiring/history-hooks";
import { SHORT_LEASE } from "@/lib/testing/processes/short-lease";

const KILL_STEPS = 25;

const [url = "", effectsFile = "", threadId = "", place = "", killStep = "0"] = process.argv.slice(2);
const database = await openDatabase(url);
let isArmed = false;

function dieHere(here: string, step: number): void {
  if (isArmed && here === place && step === Number(killStep)) process.kill(process.pid, "SIGKILL");
}

/** Calls a tool in every step but the last: a reading one in odd steps, a writing one in even steps. */
const model: ModelPort = {
  name: "scripted:kill",
  async call(request, { onText, signal }): Promise<ModelReply> {
    const step = request.messages.filter(({ role }) => role === "assistant").length + 1;
    onText?.("Working ");
    if (place === "model" && isArmed && step === Number(killStep)) await sleep(20);
    dieHere("model", step);
    signal.throwIfAborted();
    onText?.("on it.");
    const name = step % 2 === 1 ? "look" : "change";
    const call = { id: `call_${step}`, name, args: { step }, rawArgs: JSON.stringify({ step }) };
    const isLast = step === KILL_STEPS;
    const toolCalls = isLast ? [] : [call];
    const content = "Working on it.";
    const finishReason = isLast ? "stop" : "tool-calls";
    return {
      content,
      reasoning: [],
      toolCalls,
      finishReason,
      usage: NO_USAGE,
      model: this.name,
      timeToFirstTokenMs: 0,
    };
  },
};

function effectTool(name: string, kind: string, annotations: { readOnly?: boolean }) {
  return defineTool({
    name,
    description: name,
    input: z.object({ step: z.number() }),
    annotations,
    async execute({ step }, { context }) {
      appendFileSync(effectsFile, `${context.runId} ${step}\n`);
      dieHere(kind, step);
      return `did ${step}`;
    },
  });
}

const tools = [effectTool("look", "read", { readOnly: true }), effectTool("change", "write", {})];
const spans = new SpanBuffer(database);
const host = new RunHost({
  database,
  versionOfRun,
  historyHooks,
  build: async () => ({ system: [], model, tools, hooks: [] }),
  traces: tracePort(database, spans),
  ...SHORT_LEASE,
});
await host.start();
await untilIdle();
if (threadId !== "") {
  isArmed = true;
  const messages = [{ role: "user" as const, content: `Go, ${threadId}` }];
  const { runId } = await startRun(database, { ownerId: "u1", threadId, agentId: "agent", messages });
  process.stdout.write(`${runId}\n`);
  await untilIdle();
}
await host.stop();
await spans.flush();
await database.close();

async function untilIdle(): Promise<void> {
  while ((await database.run.count({ where: { endedAt: null } })) > 0) await sleep(5);
}
