// A separate process that executes a run whose tool `explode` kills the process each time; see poison-kill.test.ts.
// Arguments: database URL, thread of a new run ("" for none), number of steps between two explosions, last step.
import { z } from "zod";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { openDatabase } from "@/lib/server/platform/db/database";
import { startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", threadId = "", between = "0", lastStep = "0"] = process.argv.slice(2);
const database = await openDatabase(url);

/** Calls `explode` in the first step after each pause, and `look` in the others. */
const model: ModelPort = {
  name: "scripted:poisoned",
  async call({ messages }): Promise<ModelReply> {
    const step = messages.filter(({ role }) => role === "assistant").length + 1;
    const isLast = step === Number(lastStep);
    const name = step % (Number(between) + 1) === 0 ? "explode" : "look";
    const reply = { content: "", reasoning: [], usage: NO_USAGE, model: this.name, timeToFirstTokenMs: 0 };
    if (isLast) return { ...reply, content: "Survived.", toolCalls: [], finishReason: "stop" };
    const toolCalls = [{ id: `call_${step}`, name, args: {}, rawArgs: "{}" }];
    return { ...reply, toolCalls, finishReason: "tool-calls" };
  },
};

const input = z.object({});
const tools = [
  defineTool({
    name: "look",
    description: "Looks",
    input,
    annotations: { readOnly: true },
    execute: async () => "seen",
  }),
  defineTool({
    name: "explode",
    description: "Explodes",
    input,
    async execute() {
      process.kill(process.pid, "SIGKILL");
      return "";
    },
  }),
];

const host = await startBareHost(database, async () => ({ system: [], model, tools, hooks: [] }));
if (threadId !== "") await host.begin({ ownerId: "u1", threadId, agentId: "agent" });
await host.untilIdle();
await host.close();
