// A separate process that executes a run under a budget and kills itself with SIGKILL during its second model call; see
// kill-spender.test.ts. Arguments: database URL, thread of a new run ("" for none).
import { openDatabase } from "@/lib/server/platform/db/database";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { startBareHost } from "@/lib/testing/processes/bare-host";

const [url = "", threadId = ""] = process.argv.slice(2);
const database = await openDatabase(url);
const model = pricedModel({
  async turn(_, replies) {
    if (threadId !== "" && replies === 1) process.kill(process.pid, "SIGKILL");
    return replies < 3 ? { calls: [{ name: "nothing" }] } : { text: "done" };
  },
});
// The tool does not exist; the model reads that, and the run continues.
const host = await startBareHost(database, async () => ({ system: [], model, tools: [], hooks: [] }));
if (threadId !== "") await host.begin({ ownerId: "u1", threadId, agentId: "agent" });
await host.untilIdle();
await host.close();
