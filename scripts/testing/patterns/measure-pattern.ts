import type { AttackText } from "./attack-texts";

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A pattern that is slow even for this is not tried with more. */
const FIRST_SIZE = 1_000;
const SLOW_MS = 50;
const SIZES = [4_000, 8_000, 16_000];
const RUNS = 10;
/** Twice the text takes twice the time, or four times with the square. */
const MAX_RATIO = 3;
const MIN_MS = 2;

/** The shortest of ten times for 4, 8 and 16 KB of an attack text, in ms; fewer for a pattern that takes long. */
export function growthOf(pattern: Pattern, text: AttackText): readonly number[] {
  const timesMs: number[] = [];
  for (const size of [FIRST_SIZE, ...SIZES]) {
    const isSlow = (timesMs.at(-1) ?? 0) > SLOW_MS;
    if (!isSlow) timesMs.push(shortest(RUNS, () => timeOf(pattern, text, size)));
  }
  return timesMs.slice(timesMs.length > 1 ? 1 : 0);
}

function shortest(runs: number, time: () => number): number {
  let least = time();
  for (let run = 1; run < runs && (least < SLOW_MS || run < 3); run += 1) least = Math.min(least, time());
  return least;
}

/** Whether the times grow faster than the text; short ones say nothing. */
export function isSuperLinear(timesMs: readonly number[]): boolean {
  if (timesMs.length === 1) return true;
  return timesMs.some((time, index) => time > MIN_MS && time > MAX_RATIO * (timesMs[index - 1] ?? time));
}

/** How long the pattern takes to find everything in a text of that size. */
export function timeOf({ source, flags }: Pattern, { prefix, pump, suffix }: AttackText, size: number): number {
  const pattern = new RegExp(source, flags);
  const text = prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
  const start = performance.now();
  text.replace(pattern, "");
  return performance.now() - start;
}
