import { randomBytes } from "node:crypto";
import { processState } from "./process-state";

const clock = processState("id-clock", () => ({ lastMs: 0, counter: 0 }));
const randomness = processState("id-randomness", () => ({ pool: "", used: 0 }));
const RANDOM_CHARS = 15;

/** 60 random bits; a system call per id would cost more than the rest of it. */
function takeRandom(): string {
  if (randomness.used + RANDOM_CHARS > randomness.pool.length) {
    randomness.pool = randomBytes(3_000).toString("hex");
    randomness.used = 0;
  }
  randomness.used += RANDOM_CHARS;
  return randomness.pool.slice(randomness.used - RANDOM_CHARS, randomness.used);
}

/**
 * A new id such as `run_0mhk3…`: ids from one process sort in the order they were created (time in ms, then a
 * counter), and 60 random bits keep processes apart and make ids unguessable enough for a log.
 */
export function createId(prefix: string): string {
  const nowMs = Math.max(Date.now(), clock.lastMs);
  clock.counter = nowMs === clock.lastMs ? clock.counter + 1 : 0;
  clock.lastMs = nowMs;
  const time = nowMs.toString(36).padStart(9, "0");
  const order = clock.counter.toString(36).padStart(3, "0");
  return `${prefix}_${time}${order}${takeRandom()}`;
}
