// A separate process that executes runs and kills itself with SIGKILL at a given point; see kill.test.ts. Arguments:
// database URL, file of side effects, thread of a new run ("" for none), place and step of the kill.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import { tracingHook } from "@/lib/hooks/tracing";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { openDatabase } from "@/lib/server/platform/db/database";
import { startBareHost } from "@/lib/testing/processes/bare-host";

const KILL_STEPS = 25;

const [url = "", effectsFile = "", threadId = "", place = "", killStep = "0"] = process.argv.slice(2);
const database = await openDatabase(url);
let isArmed = false;

function dieHere(here: string, step: number): void {
  if (isArmed && here === place && step === Number(killStep)) process.kill(process.pid, "SIGKILL");
}

/** Calls a tool in every step except the last: a read-only one in odd steps, a writing one in even steps. */
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
const hooks = () => [tracingHook({ isVerbose: false })];
const host = await startBareHost(database, async () => ({ system: [], model, tools, hooks: hooks() }));
await host.untilIdle();
if (threadId !== "") {
  // What this process finished for a dead one must not die with it.
  await host.flush();
  isArmed = true;
  await host.begin({ ownerId: "u1", threadId, agentId: "agent" }, `Go, ${threadId}`);
  await host.untilIdle();
}
await host.close();
