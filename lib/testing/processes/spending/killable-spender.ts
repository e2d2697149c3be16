// A separate process that executes runs under a budget and kills itself with SIGKILL during a model call; see
// kill-spender.test.ts. Arguments: database URL, thread of a new run ("" for none), the number of the process's call
// during which it kills itself (0 for none). Prints the run's id, then a line for each call.
import { writeSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { findOpenStep } from "@/lib/agent/journal";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { openDatabase } from "@/lib/server/platform/db/database";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", threadId = "", killAt = "0"] = process.argv.slice(2);
const database = await openDatabase(url);
let calls = 0;
/** Whether the log of a run ends with the start of a call. */
const isStored = async () => {
  const run = await database.run.findFirstOrThrow({ where: { endedAt: null } });
  const events = await readAllEvents(database, run.id);
  return findOpenStep(events.map(({ event }) => event)) !== null;
};
const model = pricedModel({
  inputUsd: 0.1,
  async turn(_, replies) {
    calls += 1;
    writeSync(1, "call\n");
    if (calls === Number(killAt)) {
      // A call outlasts the time after which its start is stored.
      while (!(await isStored())) await nextTurn();
      process.kill(process.pid, "SIGKILL");
    }
    return replies < 3 ? { calls: [{ name: "nothing" }] } : { text: "done" };
  },
});
// The tool does not exist; the model reads that, and the run continues.
const host = await startBareHost(database, async () => ({ system: [], model, tools: [], hooks: [] }));
if (threadId !== "") await host.begin({ ownerId: "u1", threadId, agentId: "agent" });
await host.untilIdle();
await host.close();
