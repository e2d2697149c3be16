// npm run bench:search: how long a search of the thread list takes with 200,000 stored messages, on SQLite and on
// Postgres. Exits 1 if one takes longer than the quality target allows.
import { listThreads } from "../../lib/server/threads/list-threads";
import { onBothDatabases, ROUNDS, timeRounds } from "../on-both-databases";
import { COMMON_WORD, MESSAGES, RARE_WORD, seedThreads, THREADS, word } from "./seed-threads";

/** At the 95th percentile. */
const BUDGET_MS = 300;

const SEARCHES: Readonly<Record<string, string>> = {
  "a word of one message in 10,000": RARE_WORD,
  "a word of every message": COMMON_WORD,
  "a frequent word": word(40),
  "a rare word": word(3_990),
  "two words": `${word(300)} ${word(900)}`,
  "a frequent and a rare word": `${COMMON_WORD} ${RARE_WORD}`,
  "a word that is nowhere": "xyzzy",
  "a part of words": "jelki",
  "two letters": "ba",
};

await onBothDatabases(async (database) => {
  const startedAt = performance.now();
  await seedThreads(database);
  console.log(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const results: Record<string, { found: number; p50: number; p95: number; budget: number }> = {};
  for (const [name, q] of Object.entries(SEARCHES)) {
    const list = () => listThreads({ id: "u1" }, { q, archived: false, limit: 50 });
    const found = (await list()).threads.length;
    const times = await timeRounds(async () => JSON.stringify(await list()));
    results[name] = { found, ...times, budget: BUDGET_MS };
  }
  console.log(`${database.dialect.provider}: ${MESSAGES} messages in ${THREADS} threads (ms, ${ROUNDS} times)`);
  console.table(results);
  return Object.values(results).every(({ p95 }) => p95 < BUDGET_MS);
});
