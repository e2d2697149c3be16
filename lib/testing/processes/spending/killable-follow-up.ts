// A separate process that makes the calls of work after a run and kills itself with SIGKILL before it can settle them;
// see follow-up-calls.test.ts. Arguments: database URL, the run, and when it dies: "sent" (during its second call) or
// "answered" (after it).
import { followUpCalls } from "@/lib/server/engine/budgets/follow-up-calls";
import { openDatabase } from "@/lib/server/platform/db/database";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";

const [url = "", runId = "", place = ""] = process.argv.slice(2);
const database = await openDatabase(url);
const run = await database.run.findUniqueOrThrow({ where: { id: runId } });
let calls = 0;
const model = pricedModel({
  inputUsd: 0.02,
  async turn() {
    calls += 1;
    if (calls === 2 && place === "sent") process.kill(process.pid, "SIGKILL");
    return { text: "A title" };
  },
});
const request = {
  system: [],
  messages: [{ role: "user" as const, content: "x".repeat(400) }],
  tools: [],
  maxTokens: 50,
  temperature: 0,
};
const followUp = followUpCalls(database, run, { model, charsPerToken: 4 });
const { signal } = new AbortController();
for (const _ of [1, 2]) await followUp.model.call(request, { signal });
process.kill(process.pid, "SIGKILL");
