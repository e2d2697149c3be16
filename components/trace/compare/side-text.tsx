"use client";
import { useMemo } from "react";
import { type DiffRow, diffRows } from "@/lib/client/files/diff-rows";
import { classNames } from "@/lib/client/ui/class-names";
import type { ComparedTexts } from "@/lib/schema/traces/compare-runs";

export interface SideTextProps {
  texts: ComparedTexts;
  side: "a" | "b";
  className?: string;
}

const OWN = { a: "-", b: "+" } as const;
const LOOK = { a: "bg-diff-del", b: "bg-diff-add" } as const;
const MARK = { a: "bg-diff-del-mark", b: "bg-diff-add-mark" } as const;
const SIDE_LABELS = { a: "Only in A: ", b: "Only in B: " } as const;

/** One side of two texts: the lines around what differs, with the words that do marked. */
export function SideText({ texts, side, className }: SideTextProps) {
  const rows = useMemo(() => rowsOf(texts), [texts]);
  const text = texts[side];
  if (text === null) return null;
  const shown = rows?.filter(({ kind }) => kind === " " || kind === "@" || kind === OWN[side]);
  return (
    <div className={classNames("break-words whitespace-pre-wrap", className)}>
      {shown === undefined
        ? text
        : shown.map((row) => (
            <div
              key={`${row.kind}${row.oldLine ?? ""}:${row.newLine ?? row.text}`}
              className={classNames(
                "min-h-[1lh]",
                row.kind === OWN[side] && LOOK[side],
                row.kind === "@" && "text-subtle",
              )}
            >
              {row.kind === OWN[side] ? <span className="sr-only">{SIDE_LABELS[side]}</span> : null}
              {row.kind === "@" ? "…" : <Marked row={row} side={side} />}
            </div>
          ))}
    </div>
  );
}

/** Undefined where there is nothing to tell apart. */
function rowsOf({ same, a, b }: ComparedTexts): DiffRow[] | undefined {
  return same || a === null || b === null ? undefined : diffRows(a, b);
}

function Marked({ row, side }: { row: DiffRow; side: "a" | "b" }) {
  if (row.mark === undefined) return row.text;
  const [start, end] = row.mark;
  return (
    <>
      {row.text.slice(0, start)}
      <span className={classNames("rounded-xs", MARK[side])}>{row.text.slice(start, end)}</span>
      {row.text.slice(end)}
    </>
  );
}
