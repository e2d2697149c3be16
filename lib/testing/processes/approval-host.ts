// A separate process that executes one run whose only call needs an approval; see waiting-kill.test.ts. It kills itself
// with SIGKILL as soon as the run waits, or (with "approved") once the approved call has written its side effect.
// Arguments: database URL, file of side effects, thread of a new run ("" for none), place of the kill.
import { setTimeout as sleep } from "node:timers/promises";
import { startRun } from "@/lib/server/engine/accept";
import { openDatabase } from "@/lib/server/platform/db/database";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { testHost } from "@/lib/testing/fixtures/run-fixture";
import { takeJobsOfDeadWorkers } from "@/lib/testing/processes/dead-workers";

const [url = "", effectsFile = "", threadId = "", place = ""] = process.argv.slice(2);
const database = await openDatabase(url);
const die = () => process.kill(process.pid, "SIGKILL");
const parts = approvalParts(effectsFile, place === "approved" ? die : () => undefined);
const host = testHost(database, { ...parts, beatMs: 250 });
await takeJobsOfDeadWorkers(database);
await host.start();
if (threadId !== "") {
  const messages = [{ role: "user" as const, content: "Send it" }];
  const { runId } = await startRun(database, { ownerId: "member", threadId, agentId: "sender", messages });
  process.stdout.write(`${runId}\n`);
}
for (;;) {
  if (place === "waiting" && (await database.run.count({ where: { status: "waiting" } })) > 0) die();
  await sleep(5);
}
