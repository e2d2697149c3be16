/** What `source` yields, interleaved with null whenever the promise of `told` resolves first; ends with `source`. */
export async function* interleave<Item>(
  source: AsyncGenerator<Item>,
  told: () => Promise<unknown>,
): AsyncGenerator<Item | null> {
  let next = source.next();
  try {
    for (;;) {
      const arrived = await Promise.race([next, told().then(() => null)]);
      if (arrived?.done) return;
      yield arrived === null ? null : arrived.value;
      if (arrived !== null) next = source.next();
    }
  } finally {
    next.catch(() => undefined);
    void source.return(undefined);
  }
}
