// A separate process that steers its own run and kills itself with SIGKILL; see kill-steered.test.ts. Arguments:
// database URL, thread of a new run ("" for none), place of the kill: `accepted`, `read` or `answered`.
import { z } from "zod";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { ModelPort } from "@/lib/agent/model";
import { defineTool } from "@/lib/agent/tools/tool";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { startRun } from "@/lib/server/engine/accept";
import { openDatabase } from "@/lib/server/platform/db/database";
import { startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", threadId = "", place = ""] = process.argv.slice(2);
const database = await openDatabase(url);
const thread = { ownerId: "u1", threadId, agentId: "agent" };
let isArmed = false;

function dieAt(here: string): void {
  if (isArmed && here === place) process.kill(process.pid, "SIGKILL");
}

async function steer(): Promise<void> {
  if (!isArmed) return;
  await startRun(database, { ...thread, steers: true, messages: [{ role: "user", content: "Use node 22" }] });
  dieAt("accepted");
}

/** Makes one call, then answers; after a steering message it answers again. */
const model: ModelPort = {
  name: "scripted:steered",
  async call({ messages }): Promise<ModelReply> {
    const isFirst = messages.every(({ role }) => role !== "assistant");
    const isRead = messages.at(-1)?.role === "user" && !isFirst;
    if (isRead) dieAt("read");
    const call = { id: "call_1", name: "look", args: {}, rawArgs: "{}" };
    const reply = { reasoning: [], usage: NO_USAGE, model: this.name, timeToFirstTokenMs: 0 };
    if (isFirst) return { ...reply, content: "", toolCalls: [call], finishReason: "tool-calls" };
    return { ...reply, content: isRead ? "With node 22." : "Done.", toolCalls: [], finishReason: "stop" };
  },
};

const look = defineTool({
  name: "look",
  description: "Looks",
  input: z.object({}),
  annotations: { idempotent: true },
  async execute() {
    if (place !== "answered") await steer();
    return "seen";
  },
});

/** The steering message arrives after the run's answer, just before the run is stored as completed. */
const late: Hook = {
  name: "late",
  async afterAgent() {
    if (place !== "answered") return;
    await steer();
    dieAt("answered");
  },
};

const host = await startBareHost(database, async () => ({ system: [], model, tools: [look], hooks: [late] }));
await host.untilIdle();
if (threadId !== "") {
  isArmed = true;
  await host.begin(thread);
  await host.untilIdle();
}
await host.close();
