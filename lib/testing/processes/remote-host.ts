// A second process on a test's Postgres database; see two-processes-postgres.test.ts. Argument: the database URL. It
// obeys lines on standard input: "start <thread>" starts a run there and prints its id; the run says "first", and
// "second" after the line "go"; "append <folder>" and "child <run>" do shared work (shared-work.ts) and print "done";
// "end" ends the process.
import { createInterface } from "node:readline";
import type { ModelPort } from "@/lib/agent/model";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { startRun } from "@/lib/server/engine/accept";
import { PostgresNotifier } from "@/lib/server/engine/log/notify";
import { announceExtensions } from "@/lib/server/engine/log/signals";
import { openDatabase } from "@/lib/server/platform/db/database";
import { testHost } from "@/lib/testing/fixtures/run-fixture";
import { appendNotes, tryToStartChild } from "@/lib/testing/processes/shared-work";

const HOUR_MS = 3_600_000;

const [url = ""] = process.argv.slice(2);
const database = await openDatabase(url);
let go = Promise.withResolvers<void>();

const model: ModelPort = {
  name: "scripted:remote",
  async call(_request, { onText, signal }) {
    onText?.("first ");
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await Promise.race([go.promise, aborted]);
    signal.throwIfAborted();
    onText?.("second");
    return {
      content: "first second",
      reasoning: [],
      toolCalls: [],
      finishReason: "stop",
      usage: NO_USAGE,
      model: this.name,
      timeToFirstTokenMs: 0,
    };
  },
};

const notifier = new PostgresNotifier(database);
await notifier.start();
// It never polls for requests to stop a run.
const host = testHost(database, { model, beatMs: HOUR_MS });
await host.start();
process.stdout.write("ready\n");

for await (const line of createInterface({ input: process.stdin })) {
  const [command, argument = ""] = line.split(" ");
  if (command === "end") break;
  if (command === "go") go.resolve();
  if (command === "reload") announceExtensions();
  if (command === "start") process.stdout.write(`${await start(argument)}\n`);
  if (command === "append") await appendNotes(database, "there", 20, argument);
  if (command === "child") await tryToStartChild(database, "there", argument);
  if (command === "append" || command === "child") process.stdout.write("done\n");
}

async function start(threadId: string): Promise<string> {
  go = Promise.withResolvers();
  const messages = [{ role: "user" as const, content: "Go" }];
  const { runId } = await startRun(database, { ownerId: "u1", threadId, agentId: "agent", messages });
  return runId;
}

await host.stop();
await notifier.close();
await database.close();
process.exit(0);
