// A separate process that executes a run with a subagent (or, with a fifth argument, a delegate of that id) and kills
// itself with SIGKILL while the subagent works; see kill-subagent.test.ts. Arguments: database URL, file of side
// effects, thread of a new run ("" for none), and whether the parent is "calling" or "waiting" at the kill.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { openDatabase } from "@/lib/server/platform/db/database";
import { buildWithSubagents, delegatingModel, startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", effectsFile = "", threadId = "", killWhen = "", delegate] = process.argv.slice(2);
const database = await openDatabase(url);

async function dieWithParent(): Promise<void> {
  if (threadId === "") return;
  const status = killWhen === "waiting" ? "waiting" : "running";
  while ((await database.run.count({ where: { depth: 0, status } })) === 0) await sleep(5);
  process.kill(process.pid, "SIGKILL");
}

const change = defineTool({
  name: "change",
  description: "change",
  input: z.object({}),
  async execute(_args, { context }) {
    appendFileSync(effectsFile, `${context.runId}\n`);
    return "changed";
  },
});

const model = delegatingModel({
  prompt: "work",
  delegate,
  call: { name: "change", args: {} },
  usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 1 },
  beforeChildAnswers: dieWithParent,
});
const host = await startBareHost(database, buildWithSubagents(database, { model, tools: [change], hooks: [] }));
if (threadId !== "") await host.begin({ ownerId: "u1", threadId, agentId: "agent" });
await host.untilIdle();
await host.close();
