/** Runs by the power of two of their working time: `bucket` is from 2^(bucket - 1) ms to below 2^bucket ms, 0 below 1 ms. */
export type TimeHistogram = ReadonlyMap<number, number>;

/**
 * The time (ms) below which a `share` (0 to 1) of the runs worked, null without runs. Within a power of two the runs
 * are taken to be spread evenly, so it is at most twice the real one, and at least half.
 */
export function percentileOf(histogram: TimeHistogram, share: number): number | null {
  const runs = [...histogram.values()].reduce((sum, count) => sum + count, 0);
  if (runs === 0) return null;
  let left = Math.max(1, Math.ceil(runs * share));
  for (const [bucket, count] of [...histogram].toSorted(([a], [b]) => a - b)) {
    if (left > count) {
      left -= count;
      continue;
    }
    if (bucket === 0) return 0;
    const from = 2 ** (bucket - 1);
    return Math.round(from + from * ((left - 0.5) / count));
  }
  return null;
}
