"use client";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback, useMemo, useState } from "react";
import type { Span } from "@/lib/schema/traces/span";
import { ancestorsOf, nextError, nextWait, type SpanNode, type SpanRow } from "./span-tree";

const URL_STATE = {
  span: parseAsString,
  /** Instead of a span: the id of a tool call, as the chat knows it. */
  call: parseAsString,
  q: parseAsString.withDefault(""),
  tab: parseAsString.withDefault("messages"),
};

/**
 * The selection, kept in the URL, so that a link shows the same; folded rows are not. Without one, `firstId` is open until
 * somebody closes it.
 */
export function useTraceSelection(spans: readonly Span[], firstId: string | null) {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const [moved, setMoved] = useState<string | null>(null);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());

  // Stable functions: the mounted rows hold them, and new ones would rerender each row.
  const open = useCallback(
    (id: string) => {
      setMoved(id);
      void setUrl({ span: id, call: null });
    },
    [setUrl],
  );
  const toggle = useCallback(
    (id: string) =>
      setCollapsed((folded) =>
        folded.has(id) ? new Set([...folded].filter((one) => one !== id)) : new Set([...folded, id]),
      ),
    [],
  );
  const unfold = (ids: readonly string[]) =>
    setCollapsed((folded) => new Set([...folded].filter((id) => !ids.includes(id))));
  const [isClosed, setClosed] = useState(false);
  const chosenId = useMemo(() => url.span ?? spanOfCall(spans, url.call), [spans, url.span, url.call]);
  const openId = chosenId ?? (isClosed ? null : firstId);
  const activeId = moved ?? openId;
  return {
    openId,
    activeId,
    search: url.q,
    tab: url.tab,
    collapsed,
    open,
    /** The cursor stays where it was: arrows continue from there. */
    close: () => {
      setMoved(activeId);
      setClosed(true);
      void setUrl({ span: null, call: null });
    },
    /** Moves the cursor; an open detail follows it. */
    move: (id: string) => (openId === null ? setMoved(id) : open(id)),
    toggle,
    /** Opens a span and expands every row that hides it. */
    reveal: (tree: readonly SpanNode[], id: string) => {
      unfold(ancestorsOf(tree, id));
      open(id);
    },
    setSearch: (q: string) => void setUrl({ q: q === "" ? null : q }),
    setTab: (tab: string) => void setUrl({ tab }),
  };
}

/** A call that waited has a span for each time; the last one ran it. */
function spanOfCall(spans: readonly Span[], callId: string | null): string | null {
  if (callId === null) return null;
  return spans.findLast(({ attributes }) => attributes.tool_call_id === callId)?.id ?? null;
}

export type TraceSelection = ReturnType<typeof useTraceSelection>;

/** Opens the next failed span; does nothing if none failed. */
export function revealNextError(selection: TraceSelection, tree: readonly SpanNode[]): void {
  const found = nextError(tree, selection.activeId);
  if (found) selection.reveal(tree, found.id);
}

/** Opens the next wait for a person; does nothing if nobody was asked. */
export function revealNextWait(selection: TraceSelection, tree: readonly SpanNode[]): void {
  const found = nextWait(tree, selection.activeId);
  if (found) selection.reveal(tree, found.id);
}

/** Arrow keys, Home, End and Enter in the list of rows; true if the key was handled. */
export function moveByKey(selection: TraceSelection, { tree, rows }: Shown, key: string): boolean {
  const index = markedIndex(tree, rows, selection.activeId);
  const row = rows[index];
  const go = (to: number) => {
    const target = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (target) selection.move(target.node.id);
  };
  const step = STEPS.get(key);
  if (step !== undefined) {
    go(index < 0 ? 0 : index + step);
    return true;
  }
  if (!row || !ROW_KEYS.has(key)) return false;
  if (key === "Enter") selection.open(row.node.id);
  if (key === "ArrowRight") unfoldOrEnter(selection, row, () => go(index + 1));
  if (key === "ArrowLeft") foldOrLeave(selection, row, () => go(parentIndex(rows, index)));
  return true;
}

interface Shown {
  readonly tree: readonly SpanNode[];
  readonly rows: readonly SpanRow[];
}

/** The row with the cursor, or the folded row that hides it. */
function markedIndex(tree: readonly SpanNode[], rows: readonly SpanRow[], id: string | null): number {
  const found = rows.findIndex((row) => row.node.id === id);
  if (found >= 0 || id === null) return found;
  const above = new Set(ancestorsOf(tree, id));
  return rows.findLastIndex((row) => above.has(row.node.id));
}

const ROW_KEYS = new Set(["Enter", "ArrowRight", "ArrowLeft"]);

const STEPS = new Map([
  ["ArrowDown", 1],
  ["ArrowUp", -1],
  ["PageDown", 20],
  ["PageUp", -20],
  ["Home", Number.NEGATIVE_INFINITY],
  ["End", Number.POSITIVE_INFINITY],
]);

function unfoldOrEnter(selection: TraceSelection, row: SpanRow, enter: () => void): void {
  if (row.node.children.length === 0) return;
  if (row.open) enter();
  else selection.toggle(row.node.id);
}

function foldOrLeave(selection: TraceSelection, row: SpanRow, leave: () => void): void {
  if (row.open && row.node.children.length > 0) selection.toggle(row.node.id);
  else leave();
}

function parentIndex(rows: readonly SpanRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  return rows.findLastIndex((above, at) => at < index && above.depth < depth);
}
