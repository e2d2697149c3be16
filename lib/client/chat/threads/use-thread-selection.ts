"use client";
import { useState } from "react";

export interface ThreadSelection {
  /** Null while nothing is being selected. */
  readonly ids: ReadonlySet<string> | null;
  /** With `isRange`, everything from the last toggled one on. */
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly start: () => void;
  readonly all: () => void;
  readonly end: () => void;
}

/** The threads ticked in the list; `shown` are the list's ids in order. */
export function useThreadSelection(shown: readonly string[]): ThreadSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [last, setLast] = useState<string | null>(null);
  // Threads that have left the list are no longer selected.
  const ids = chosen && new Set(shown.filter((id) => chosen.has(id)));
  return {
    ids,
    toggle: (id, isRange) => {
      const next = new Set(ids);
      if (isRange && last !== null && shown.includes(last)) {
        const [from, to] = [shown.indexOf(last), shown.indexOf(id)].toSorted((a, b) => a - b);
        for (const between of shown.slice(from, (to ?? 0) + 1)) next.add(between);
      } else if (!next.delete(id)) next.add(id);
      setChosen(next);
      setLast(id);
    },
    start: () => setChosen(new Set()),
    all: () => setChosen(new Set(shown)),
    end: () => setChosen(null),
  };
}
