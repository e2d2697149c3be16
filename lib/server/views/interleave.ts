/**
 * The items of `source`, interleaved with null whenever the promise of `notified` resolves first; ends with `source`.
 * `notified` is called for each wait: a promise that it returns repeatedly must resolve soon, because it keeps every
 * item awaited with it.
 */
export async function* interleave<Item>(
  source: AsyncGenerator<Item>,
  notified: () => Promise<unknown>,
): AsyncGenerator<Item | null> {
  let next = source.next();
  try {
    for (;;) {
      const arrived = await Promise.race([next, notified().then(() => null)]);
      if (arrived?.done) return;
      yield arrived === null ? null : arrived.value;
      if (arrived !== null) next = source.next();
    }
  } finally {
    next.catch(() => undefined);
    void source.return(undefined);
  }
}
