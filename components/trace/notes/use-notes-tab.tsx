"use client";
import dynamic from "next/dynamic";
import { useCallback, useState } from "react";
import type { TabItem } from "@/components/ui/controls/tabs";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { useNotes } from "@/lib/client/trace/notes/use-notes";
import type { TraceSelection } from "@/lib/client/trace/use-trace-selection";
import { formatCount } from "@/lib/client/ui/text/format";

const SpanNotes = dynamic(async () => (await loadWithRetry(() => import("./span-notes"))).SpanNotes, {
  loading: () => null,
});

const TAB = "notes";

/** The notes of a trace: their number by span, the open span's tab, and how a key begins one. */
export function useNotesTab(runId: string, rootId: string | undefined, selection: TraceSelection) {
  const notes = useNotes(runId, rootId);
  const [isWriting, setWriting] = useState(false);
  const stopWriting = useCallback(() => setWriting(false), []);
  const { openId } = selection;
  const count = notes.counts.get(openId ?? "") ?? 0;
  const tab: TabItem = {
    id: TAB,
    label: count === 0 ? "Notes" : `Notes ${formatCount(count)}`,
    content:
      openId === null ? null : (
        <SpanNotes
          runId={runId}
          spanId={openId}
          isRoot={openId === rootId}
          notes={notes}
          takesFocus={isWriting}
          onFocused={stopWriting}
        />
      ),
  };
  return {
    counts: notes.counts,
    tab,
    /** Opens the notes of the marked span, of the whole run if none is. */
    write: () => {
      const id = selection.activeId ?? rootId;
      if (id === undefined) return;
      selection.open(id);
      selection.setTab(TAB);
      setWriting(true);
    },
  };
}
