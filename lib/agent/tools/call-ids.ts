/**
 * Keeps tool call ids unique in a thread, because some models repeat them across replies or within one. A call is first
 * announced (its arguments stream in) and arrives later; both get the same id.
 */
export interface CallIds {
  /** Forgets the announced calls before a new attempt. */
  restart(): void;
  announce(id: string): string;
  /** The unique ids of a finished reply's calls, in order. */
  settle(ids: readonly string[]): string[];
}

export function createCallIds(used: Iterable<string>, createId: (prefix: string) => string): CallIds {
  const taken = new Set(used);
  let announced: { id: string; unique: string }[] = [];

  function claim(id: string): string {
    const unique = id === "" || taken.has(id) ? createId("call") : id;
    taken.add(unique);
    return unique;
  }

  return {
    restart() {
      for (const { unique } of announced) taken.delete(unique);
      announced = [];
    },
    announce(id) {
      const unique = claim(id);
      announced.push({ id, unique });
      return unique;
    },
    settle(ids) {
      return ids.map((id) => {
        const index = announced.findIndex((entry) => entry.id === id);
        return index < 0 ? claim(id) : (announced.splice(index, 1)[0]?.unique ?? id);
      });
    },
  };
}
