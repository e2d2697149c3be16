import pg from "pg";
import { expect, test } from "vitest";
import type { ModelPort } from "@/lib/agent/model";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { addThread, eventsToEnd, reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, url, startHost } = runDatabase();

/** Answers once `gate` resolves, and counts how often each question was asked. */
function holdingModel(gate: Promise<void>) {
  const asked = new Map<string, number>();
  const model: ModelPort = {
    name: "scripted:held",
    async call({ messages }) {
      const question = String(messages.at(-1)?.content);
      asked.set(question, (asked.get(question) ?? 0) + 1);
      await gate;
      return {
        content: "Done.",
        reasoning: [],
        toolCalls: [],
        finishReason: "stop",
        usage: NO_USAGE,
        model: "scripted:held",
        timeToFirstTokenMs: 0,
      };
    },
  };
  return { model, asked };
}

test("runs that are held at the model stay held while a transaction keeps their rows locked", async () => {
  await seedThread(database());
  const gate = Promise.withResolvers<void>();
  const { model, asked } = holdingModel(gate.promise);
  for (let started = 0; started < 2; started += 1) await startHost({ model });
  const runIds: string[] = [];
  for (const threadId of ["a", "b", "c", "d"]) {
    await addThread(database(), threadId);
    runIds.push((await say(database(), `to ${threadId}`, { threadId })).runId);
  }
  await reached(() => asked.size === runIds.length);
  const other = new pg.Client({ connectionString: url() });
  await other.connect();
  await other.query(`begin; select 1 from "run" for update`);
  const jobs = () =>
    database().raw<{ isFresh: boolean; retries: number }>(
      `select heartbeat_on > (select min(xact_start) from pg_stat_activity where datname = current_database()) as "isFresh",
        retry_count as "retries" from pgboss.job where name = 'segment.v1' and state = 'active'`,
    );
  await reached(async () => (await jobs()).filter(({ isFresh }) => isFresh).length === runIds.length);
  expect((await jobs()).map(({ retries }) => retries)).toEqual([0, 0, 0, 0]);
  await other.end();
  gate.resolve();
  for (const runId of runIds) await eventsToEnd(database(), runId);
  expect([...asked.values()]).toEqual([1, 1, 1, 1]);
});
