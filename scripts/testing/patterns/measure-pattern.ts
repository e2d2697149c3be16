import type { AttackText } from "./attack-texts";

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A pattern that is slow even for this is not tried with more. */
const FIRST_SIZE = 1_000;
const SLOW_MS = 100;
const SIZES = [4_000, 8_000, 16_000];
const RUNS = 30;
/** Twice the text takes twice the time, or four times with the square. */
const MAX_RATIO = 3;
const MIN_MS = 2;

/** The time for 4, 8 and 16 KB of an attack text, in ms; fewer for a pattern that takes long. */
export function growthOf(pattern: Pattern, text: AttackText): readonly number[] {
  const timesMs: number[] = [];
  for (const size of [FIRST_SIZE, ...SIZES]) {
    const isSlow = (timesMs.at(-1) ?? 0) > SLOW_MS;
    if (!isSlow) timesMs.push(timeOf(pattern, text, size));
  }
  return timesMs.slice(timesMs.length > 1 ? 1 : 0);
}

/** Whether the times grow faster than the text; short ones say nothing. */
export function isSuperLinear(timesMs: readonly number[]): boolean {
  if (timesMs.length === 1) return true;
  return timesMs.some((time, index) => time > MIN_MS && time > MAX_RATIO * (timesMs[index - 1] ?? time));
}

/**
 * How long the processor takes to find everything in a text of that size, on average. The clock would add what other
 * processes take meanwhile, which hits the longest text most.
 */
export function timeOf({ source, flags }: Pattern, { prefix, pump, suffix }: AttackText, size: number): number {
  const pattern = new RegExp(source, flags);
  const text = prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
  const start = process.threadCpuUsage();
  let runs = 0;
  let usedMs = 0;
  for (; runs < RUNS && usedMs < SLOW_MS; runs += 1) {
    text.replace(pattern, "");
    usedMs = process.threadCpuUsage(start).user / 1_000;
  }
  return usedMs / runs;
}
