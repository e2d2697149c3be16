import type { ReadCall } from "@/lib/schema/traces/read-trace";

/** A call of each run; null where only the other made one. */
export interface CallPair {
  readonly a: ReadCall | null;
  readonly b: ReadCall | null;
}

/**
 * Pairs the calls of two steps: those of the same tool with the same arguments first, in their order, then those of the
 * same tool by their place. Pairs stand in the order of the first run; what only the second made stands after the call
 * that it followed there.
 */
export function alignCalls(first: readonly ReadCall[], second: readonly ReadCall[]): CallPair[] {
  const partners = new Map<number, number>();
  const taken = new Set<number>();
  const pairBy = (isMatch: (a: ReadCall, b: ReadCall) => boolean) => {
    for (const [index, a] of first.entries()) {
      if (partners.has(index)) continue;
      const found = second.findIndex((b, at) => !taken.has(at) && isMatch(a, b));
      if (found < 0) continue;
      partners.set(index, found);
      taken.add(found);
    }
  };
  pairBy((a, b) => a.tool === b.tool && a.args.text === b.args.text);
  pairBy((a, b) => a.tool === b.tool);
  const pairs: { readonly at: number; readonly pair: CallPair }[] = first.map((a, index) => {
    const partner = partners.get(index);
    return { at: partner ?? ONLY_FIRST, pair: { a, b: partner === undefined ? null : (second[partner] ?? null) } };
  });
  for (const [at, b] of second.entries()) {
    if (taken.has(at)) continue;
    let place = pairs.findLastIndex((placed) => placed.at >= 0 && placed.at < at) + 1;
    // As in a diff: what was there comes before what came instead.
    while (pairs[place]?.at === ONLY_FIRST) place += 1;
    pairs.splice(place, 0, { at, pair: { a: null, b } });
  }
  return pairs.map(({ pair }) => pair);
}

/** Instead of a place in the second step. */
const ONLY_FIRST = -1;

/** Whether the calls that both runs made came in another order in the second. */
export function isReordered(pairs: readonly CallPair[], second: readonly ReadCall[]): boolean {
  const places = pairs.flatMap(({ a, b }) => (a === null || b === null ? [] : [second.indexOf(b)]));
  return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
}
