/** How often a value occurs in the selection and in the rest. */
export interface Occurrence {
  readonly runs: number;
  readonly baseRuns: number;
}

export interface Totals {
  readonly selected: number;
  readonly rest: number;
}

/** With fewer runs nothing can be said. */
const FEWEST_RUNS = 5;
const MOST = 20;

/**
 * The values whose shares are farthest apart, first; values with few runs on both sides are left out. The distance is
 * that of the nearer Wilson bounds, so that a large difference among few runs comes after a smaller one among many.
 */
export function rankDifferences<Value extends Occurrence>(values: readonly Value[], totals: Totals): Value[] {
  if (totals.selected < FEWEST_RUNS || totals.rest < FEWEST_RUNS) return [];
  return values
    .filter(({ runs, baseRuns }) => runs >= FEWEST_RUNS || baseRuns >= FEWEST_RUNS)
    .map((value) => ({ value, distance: distanceOf(value, totals) }))
    .filter(({ distance }) => distance > 0)
    .toSorted((one, other) => other.distance - one.distance)
    .slice(0, MOST)
    .map(({ value }) => value);
}

/** How far apart the shares are for sure; below 0 if they may be the same. */
function distanceOf({ runs, baseRuns }: Occurrence, { selected, rest }: Totals): number {
  const [here, there] = [wilson(runs, selected), wilson(baseRuns, rest)];
  return Math.max(here.low - there.high, there.low - here.high);
}

/** Of 95 %. */
const Z = 1.96;

/** The bounds of a share that was found as `count` of `total`. */
export function wilson(count: number, total: number): { readonly low: number; readonly high: number } {
  const share = count / total;
  const middle = share + (Z * Z) / (2 * total);
  const spread = Z * Math.sqrt((share * (1 - share)) / total + (Z * Z) / (4 * total * total));
  const whole = 1 + (Z * Z) / total;
  return { low: Math.max(0, (middle - spread) / whole), high: Math.min(1, (middle + spread) / whole) };
}
