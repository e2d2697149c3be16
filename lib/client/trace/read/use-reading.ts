"use client";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import type { ReadPassage, ReadTrace } from "@/lib/schema/traces/read-trace";
import { type ReadMatch, readMatches } from "./read-matches";
import { allFolds, foldsAbove, isFoldable, readRows, rootOf } from "./read-rows";

const URL_STATE = {
  q: parseAsString.withDefault(""),
  /** The passage that a link leads to. */
  at: parseAsString,
  /** Instead of it: a tool call, as the chat knows it. */
  call: parseAsString,
};

/** Where a reader is in a trace: what is open, the passage in view, the search and its current hit. */
export function useReading(trace: ReadTrace) {
  const [url, setUrl] = useQueryStates(URL_STATE, { history: "replace" });
  const linked = useMemo(() => linkedPassage(trace, url.at, url.call), [trace, url.at, url.call]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => opening(trace, linked));
  const [current, setCurrent] = useState<string | null>(linked);
  const [hit, setHit] = useState(0);
  const matches = useMemo(() => readMatches(trace, url.q), [trace, url.q]);
  const shownHit = matches[Math.min(hit, matches.length - 1)];
  // What a search has found is open, whatever was folded before.
  const open = useMemo(() => {
    if (shownHit === undefined) return opened;
    return new Set([...opened, ...opening(trace, shownHit.passageId)]);
  }, [trace, opened, shownHit]);
  const rows = useMemo(() => readRows(trace, open), [trace, open]);

  const go = (passageId: string | undefined) => {
    if (passageId === undefined) return;
    setOpened(new Set([...opened, ...opening(trace, passageId, false)]));
    setCurrent(passageId);
  };
  const steps = rootOf(trace)?.passages.filter(({ kind }) => kind === "step") ?? [];
  return {
    rows,
    open,
    current,
    search: url.q,
    matches,
    hit: shownHit,
    hitNumber: matches.length === 0 ? 0 : Math.min(hit, matches.length - 1) + 1,
    go,
    toggle: (key: string) => setOpened(toggled(open, key)),
    openAll: () => setOpened(allFolds(trace)),
    closeAll: () => setOpened(new Set()),
    setSearch: (q: string) => {
      setHit(0);
      void setUrl({ q: q === "" ? null : q });
    },
    goHit: (by: number) => {
      if (matches.length > 0) setHit((Math.min(hit, matches.length - 1) + by + matches.length) % matches.length);
    },
    goStep: (by: 1 | -1) => go(neighbour(trace, steps, current, by)),
    /** The next passage of its kind after the current one, then again from the start. */
    goNext: (isWanted: (passage: ReadPassage) => boolean) => go(nextOf(trace, current, isWanted)),
    /** Puts the passage into the address. */
    link: (passageId: string) => setUrl({ at: passageId, call: null }),
  };
}

export type Reading = ReturnType<typeof useReading>;
export type { ReadMatch };

function linkedPassage(trace: ReadTrace, at: string | null, callId: string | null): string | null {
  const passages = trace.runs.flatMap((run) => run.passages);
  if (at !== null) return passages.find(({ id }) => id === at)?.id ?? null;
  if (callId === null) return null;
  return passages.find((passage) => passage.kind === "call" && passage.toolCallId === callId)?.id ?? null;
}

/** What has to be open so that the passage, and by default its own text, is drawn. */
function opening(trace: ReadTrace, passageId: string | null, isWhole = true): Set<string> {
  if (passageId === null) return new Set();
  const passage = trace.runs.flatMap((run) => run.passages).find(({ id }) => id === passageId);
  const own = isWhole && passage !== undefined && isFoldable(passage) ? [passageId] : [];
  return new Set([...foldsAbove(trace, passageId), ...own]);
}

function toggled(open: ReadonlySet<string>, key: string): Set<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}

function order(trace: ReadTrace): ReadPassage[] {
  return readRows(trace, allFolds(trace)).flatMap((row) => ("passage" in row ? [row.passage] : []));
}

function neighbour(
  trace: ReadTrace,
  steps: readonly ReadPassage[],
  current: string | null,
  by: 1 | -1,
): string | undefined {
  const places = new Map(order(trace).map(({ id }, index) => [id, index]));
  const here = current === null ? -1 : (places.get(current) ?? -1);
  const placeOf = ({ id }: ReadPassage) => places.get(id) ?? 0;
  return (by === 1 ? steps.find((step) => placeOf(step) > here) : steps.findLast((step) => placeOf(step) < here))?.id;
}

function nextOf(
  trace: ReadTrace,
  current: string | null,
  isWanted: (passage: ReadPassage) => boolean,
): string | undefined {
  const passages = order(trace);
  const here = passages.findIndex(({ id }) => id === current);
  return (passages.slice(here + 1).find(isWanted) ?? passages.find(isWanted))?.id;
}
