/** The value below which `fraction` of the samples lie. */
export function percentile(samples: readonly number[], fraction: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** One contender: `prepare` is not timed, its result is passed to `run`. */
export interface Contender<Prepared = unknown> {
  readonly name: string;
  prepare(): Promise<Prepared>;
  run(prepared: Prepared): Promise<unknown>;
}

/** Runs the contenders in turn, with `warmUps` uncounted rounds first; returns the times of each, by round. */
export async function interleave(
  contenders: readonly Contender<string>[],
  { warmUps, rounds }: { readonly warmUps: number; readonly rounds: number },
): Promise<number[][]> {
  const times = contenders.map((): number[] => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const prepared = await contender.prepare();
      const startedAt = performance.now();
      await contender.run(prepared);
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times;
}
