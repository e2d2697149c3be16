import type { AttackText } from "./attack-texts";

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A pattern that is slow even for this is not tried with more. */
const FIRST_SIZE = 1_000;
const SLOW_MS = 50;
const SIZES = [4_000, 8_000, 16_000];
/** One that takes so long is not measured again: a pass with the cube of the text could take minutes. */
const HOPELESS_MS = 2_000;
const RUNS = 10;
const MAX_TOTAL_MS = 2_000;
/** Twice the text takes twice the time, or four times with the square. */
const MAX_RATIO = 3;
const MIN_MS = 2;
/** Many times what the system's count of work is exact to. */
const WORK_MS = 600;

/**
 * The shortest times for 4, 8 and 16 KB of an attack text, in ms, of ten or, while they seem to grow faster than the
 * text, of as many as fit into two seconds: on a busy machine only the shortest is the pattern's own. If they still seem
 * to, what this process worked for each decides, which no other process adds to. One time alone for a pattern that is
 * slow even for less.
 */
export function growthOf(pattern: Pattern, text: AttackText): readonly number[] {
  const firstMs = timeOf(pattern, text, FIRST_SIZE);
  if (firstMs > SLOW_MS && timeOf(pattern, text, FIRST_SIZE) > SLOW_MS) return [firstMs];
  const timesMs = shortestTimes(pattern, text);
  const isCertain = !isSuperLinear(timesMs) || (timesMs.at(-1) ?? 0) > HOPELESS_MS;
  return isCertain ? timesMs : SIZES.map((size) => workOf(pattern, text, size));
}

/** Whether the times grow faster than the text; short ones say nothing. */
export function isSuperLinear(timesMs: readonly number[]): boolean {
  if (timesMs.length === 1) return true;
  return timesMs.some((time, index) => time > MIN_MS && time > MAX_RATIO * (timesMs[index - 1] ?? time));
}

function shortestTimes(pattern: Pattern, text: AttackText): readonly number[] {
  const timesMs = SIZES.map(() => Number.POSITIVE_INFINITY);
  const end = performance.now() + MAX_TOTAL_MS;
  // By turns, so that a slow moment of the machine meets every size.
  for (let run = 0; run < RUNS || (isSuperLinear(timesMs) && performance.now() < end); run += 1) {
    for (const [index, size] of SIZES.entries())
      timesMs[index] = Math.min(timesMs[index] ?? 0, timeOf(pattern, text, size));
    if (run >= 2 && (timesMs.at(-1) ?? 0) > SLOW_MS && performance.now() > end) break;
  }
  return timesMs;
}

/** How long this process works for one pass over a text of that size, in ms: the mean of as many as fit into the time. */
function workOf({ source, flags }: Pattern, { prefix, pump, suffix }: AttackText, size: number): number {
  const pattern = new RegExp(source, flags);
  const text = prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
  const end = performance.now() + WORK_MS;
  const start = process.cpuUsage();
  let passes = 0;
  do {
    text.replace(pattern, "");
    passes += 1;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / passes;
}

/** How long the pattern takes to find everything in a text of that size, in ms. */
export function timeOf({ source, flags }: Pattern, { prefix, pump, suffix }: AttackText, size: number): number {
  const pattern = new RegExp(source, flags);
  const text = prefix + pump.repeat(Math.ceil(size / pump.length)) + suffix;
  const start = performance.now();
  text.replace(pattern, "");
  return performance.now() - start;
}
