import type { ReactNode } from "react";
import type { Sign } from "@/lib/client/trace/compare/compare-labels";
import { classNames } from "@/lib/client/ui/class-names";

const SIGN_LABELS: Readonly<Record<Sign, string>> = {
  "=": "the same",
  "≠": "differs",
  A: "only in A",
  B: "only in B",
};

export interface CompareRowProps {
  sign: Sign;
  a: ReactNode;
  b: ReactNode;
  /** The head of a step. */
  isHead?: boolean;
}

/** A of the first run, B of the second, the sign between them; on a phone one above the other. */
export function CompareRow({ sign, a, b, isHead = false }: CompareRowProps) {
  return (
    <div
      className={classNames(
        "grid grid-cols-[minmax(0,1fr)_36px_minmax(0,1fr)] border-b border-separator text-sm max-md:grid-cols-[28px_minmax(0,1fr)]",
        isHead && "bg-default text-xs",
      )}
    >
      <Cell letter="A" isMissing={sign === "B"} isHead={isHead} className="max-md:col-start-2 max-md:row-start-1">
        {a}
      </Cell>
      <span
        className={classNames(
          "flex items-center justify-center border-x border-separator font-mono text-xs max-md:col-start-1 max-md:row-span-2 max-md:row-start-1 max-md:border-l-0",
          sign === "=" ? "text-subtle" : "font-semibold",
        )}
      >
        <span aria-hidden="true">{sign}</span>
        <span className="sr-only">{SIGN_LABELS[sign]}</span>
      </span>
      <Cell letter="B" isMissing={sign === "A"} isHead={isHead} className="max-md:col-start-2 max-md:row-start-2">
        {b}
      </Cell>
    </div>
  );
}

interface CellProps {
  letter: "A" | "B";
  isMissing: boolean;
  isHead: boolean;
  className: string;
  children: ReactNode;
}

function Cell({ letter, isMissing, isHead, className, children }: CellProps) {
  return (
    <div className={classNames("min-w-0 px-4 py-1.5 max-md:px-3", isMissing && !isHead && "bg-background", className)}>
      <span aria-hidden="true" className="float-left pr-2 text-xs font-semibold text-muted md:hidden">
        {letter}
      </span>
      {isMissing ? <span className="text-xs text-muted">{isHead ? "" : `not in ${letter}`}</span> : children}
    </div>
  );
}
