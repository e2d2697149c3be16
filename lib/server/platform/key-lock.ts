/** Runs `work` while nobody else in this process is running work with the same `key`. */
export type KeyLock = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** A lock that remembers a key only while somebody holds or awaits it. */
export function createKeyLock(): KeyLock {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
