import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../statistics";
import { allow, followThread, openThread, send } from "./client";
import { ms, show } from "./figure";
import { clients, type Installation, type ServerProcess } from "./server-process";
import { emptyRuns } from "./shared-installation";

/** A message posted to A and executed by a worker, read from B, decided at C. */
export async function tryAcross({ database, provider }: Installation, web: readonly ServerProcess[]): Promise<void> {
  const [a, b, c] = clients(web);
  if (!a || !b || !c) throw new Error("Three processes that serve are needed.");
  provider.reset([0, 0], 2);
  const threadId = await openThread(a, "asking");
  const stream = await followThread(b, threadId);
  const posted = performance.now();
  const runId = await send(a, threadId, "across");
  const asked = await stream.arrival("data-approval");
  const decided = performance.now();
  await allow(c, runId);
  const ended = await stream.arrival("data-run-end");
  await stream.close();
  show(
    "posted to A: its question in B's stream after; allowed at C: its end in B's stream after",
    `${ms(asked - posted)}; ${ms(ended - decided)}`,
  );
  const [completed, gaps] = [await database.completedRuns(), await database.gaps()];
  show("of that run: completed, gaps in its events", `${completed}, ${gaps}`, completed === 1 && gaps === 0);
  await emptyRuns(database);
}

/** As in docs/design/performance.md. */
const MORE_QUERIES_A_SECOND = 5;
/** What runs and openings leave to be done is not what rest costs. */
const SETTLE_MS = 20_000;

/** The cost of a thousand readers of silent threads, and how soon one of them receives an event. */
export async function measureIdleStreams({ database, provider }: Installation, web: readonly ServerProcess[]) {
  const readers = clients(web.slice(0, 2));
  const [a] = readers;
  if (!a) throw new Error("A process that serves is needed.");
  const IDLE_MS = 30_000;
  const first = await openThread(a, "bench");
  const threadIds = [first, ...(await database.addThreadsLike(first, 999))];
  // A row in the database each, as people have them; the key of the environment has none.
  const readersOfKeys = (await database.addKeysFor(first, 100)).map((key, index) => ({
    ...(readers[index % 2] ?? a),
    headers: { authorization: `Bearer ${key}` },
  }));
  await sleep(SETTLE_MS);
  const without = await database.queriesIn(IDLE_MS);
  const streams: Awaited<ReturnType<typeof followThread>>[] = [];
  for (let at = 0; at < threadIds.length; at += 50) {
    const some = threadIds.slice(at, at + 50);
    streams.push(
      ...(await Promise.all(some.map((id, index) => followThread(readersOfKeys[(at + index) % 100] ?? a, id)))),
    );
  }
  await sleep(SETTLE_MS);
  const beside = await database.queriesIn(IDLE_MS);
  show(
    "queries a second of 2 + 2 idle processes: without streams, with 1,000 idle ones of 100 keys",
    `${without.toFixed(1)}, ${beside.toFixed(1)}`,
    beside - without <= MORE_QUERIES_A_SECOND,
  );
  provider.reset([0, 0]);
  const waits: number[] = [];
  for (let at = 0; at < 20; at += 1) {
    const posted = performance.now();
    await send(readers[(at + 1) % 2] ?? a, threadIds[at] ?? first, `hello ${at}`);
    waits.push(((await streams[at]?.arrival("data-run-end")) ?? Number.POSITIVE_INFINITY) - posted);
  }
  show(
    "a message to one of them, posted elsewhere, until its reply is in the stream: p50, most",
    `${ms(percentile(waits, 0.5))}, ${ms(Math.max(...waits))}`,
  );
  await Promise.all(streams.map((stream) => stream.close()));
  await emptyRuns(database);
}

/** Postgres is killed and restarted while messages arrive and runs are active. */
export async function tryRestart({ database, provider, postgres }: Installation, web: readonly ServerProcess[]) {
  const all = clients(web.slice(0, 2));
  const [a] = all;
  if (!a) throw new Error("A process that serves is needed.");
  const PEOPLE = 20;
  const AWAY_MS = 3_000;
  provider.reset([100, 600], 3);
  const acknowledged: string[] = [];
  let isOver = false;
  const keepSending = async (person: number) => {
    const threadId = await openThread(a, "bench");
    for (let count = 0; !isOver; count += 1) {
      acknowledged.push(await send(all[count % all.length] ?? a, threadId, `message ${count} of ${person}`));
      await sleep(Math.random() * 2_000);
    }
  };
  const people = Array.from({ length: PEOPLE }, (_, person) => keepSending(person));
  await sleep(6_000);
  await postgres.crash();
  await sleep(AWAY_MS);
  await postgres.startAgain();
  const back = performance.now();
  const before = acknowledged.length;
  while (acknowledged.length === before) await sleep(10);
  const first = performance.now() - back;
  await sleep(8_000);
  isOver = true;
  await Promise.all(people);
  while ((await database.openRuns()) > 0) await sleep(250);
  const lost = await database.notCompleted(acknowledged);
  const twice = [...provider.asked.values()].filter((count) => count > 1).length;
  show("Postgres killed under load, away for 3 s: next message acknowledged after", ms(first));
  const gaps = await database.gaps();
  show(
    "messages acknowledged, not completed, gaps, model calls made twice",
    `${acknowledged.length}, ${lost}, ${gaps}, ${twice}`,
    lost === 0 && gaps === 0 && twice === 0,
  );
  await emptyRuns(database);
}
