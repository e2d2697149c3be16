"use client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { TRACE_NOTES_KEY } from "@/lib/client/http/query-keys";
import { holdForUndo } from "@/lib/client/ui/hold-for-undo";
import { useAction } from "@/lib/client/ui/use-action";
import type { Note } from "@/lib/schema/traces/note";
import { deleteNote, notesQuery } from "./note-queries";

export interface Notes {
  readonly query: UseQueryResult<readonly Note[]>;
  /** The number of notes by span; those on the whole run count for its root span. */
  readonly counts: ReadonlyMap<string, number>;
  /** Hides the note at once and deletes it a moment later, unless that is undone. */
  readonly remove: (id: string) => void;
}

/** The notes on a run; `rootId` is its root span. */
export function useNotes(runId: string, rootId: string | undefined): Notes {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const loaded = useQuery({ ...notesQuery(runId), select: (notes): readonly Note[] => notes });
  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((one) => one !== id)));
  const deletion = useAction({
    mutationFn: (id: string) =>
      deleteNote(id).catch((error: unknown) => {
        show(id);
        throw error;
      }),
    invalidates: [TRACE_NOTES_KEY],
  });
  const { data } = loaded;
  const shown = useMemo(() => data?.filter(({ id }) => !hidden.has(id)), [data, hidden]);
  const counts = useMemo(() => countBySpan(shown ?? [], rootId), [shown, rootId]);
  return {
    query: { ...loaded, data: shown } as UseQueryResult<readonly Note[]>,
    counts,
    remove: (id) => {
      setHidden((ids) => new Set([...ids, id]));
      holdForUndo({ title: "Note deleted", run: () => deletion.mutate(id), onUndo: () => show(id) });
    },
  };
}

function countBySpan(notes: readonly Note[], rootId = ""): ReadonlyMap<string, number> {
  const bySpan = Map.groupBy(notes, ({ spanId }) => spanId ?? rootId);
  return new Map([...bySpan].map(([spanId, { length }]) => [spanId, length]));
}
