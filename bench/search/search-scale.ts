// npm run bench:search: how long a search of the thread list takes with 200,000 stored messages, on SQLite and on
// Postgres, and how long it holds up everybody else. Exits 1 if one takes longer than the quality target allows.

import { monitorEventLoopDelay } from "node:perf_hooks";
import { processServices } from "@/lib/server/wiring/services";
import { listThreads } from "../../lib/server/threads/list/list-threads";
import { onBothDatabases, ROUNDS, timeRounds } from "../on-both-databases";
import { percentile } from "../statistics";
import { COMMON_WORD, MESSAGES, RARE_WORD, seedThreads, THREADS, word } from "./seed-threads";

/** At the 95th percentile. */
const BUDGET_MS = 300;
/** The longest that nothing else is answered meanwhile, at the 95th percentile. */
const HELD_BUDGET_MS = 100;

const SEARCHES: Readonly<Record<string, string>> = {
  "a word of one message in 10,000": RARE_WORD,
  "a word of every message": COMMON_WORD,
  "a frequent word": word(40),
  "a rare word": word(3_990),
  "two words": `${word(300)} ${word(900)}`,
  "two frequent words": `${word(40)} ${word(60)}`,
  "a word of every message and a frequent one": `${COMMON_WORD} ${word(40)}`,
  "two parts of two letters": "ba ce",
  "a frequent and a rare word": `${COMMON_WORD} ${RARE_WORD}`,
  "a word that is nowhere": "xyzzy",
  "a part of words": "jelki",
  "two letters": "ba",
};

await onBothDatabases(async (database) => {
  const startedAt = performance.now();
  await seedThreads(database);
  console.log(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const results: Record<string, { found: number; p50: number; p95: number; held: number }> = {};
  for (const [name, q] of Object.entries(SEARCHES)) {
    const list = () => listThreads(processServices().database, { id: "u1" }, { q, archived: false, limit: 50 });
    const found = (await list()).threads.length;
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const held: number[] = [];
    const times = await timeRounds(async () => {
      delays.reset();
      delays.enable();
      const page = JSON.stringify(await list());
      delays.disable();
      held.push(delays.max / 1_000_000);
      return page;
    });
    results[name] = { found, ...times, held: Math.round(percentile(held, 0.95) * 10) / 10 };
  }
  console.log(`${database.dialect.provider}: ${MESSAGES} messages in ${THREADS} threads (ms, ${ROUNDS} times)`);
  console.table(results);
  console.log(`Limits: ${BUDGET_MS} at the 95th percentile; everybody else is held up for ${HELD_BUDGET_MS}.`);
  return Object.values(results).every(({ p95, held }) => p95 < BUDGET_MS && held < HELD_BUDGET_MS);
});
