import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

export interface ScrollAreaProps {
  /** The contents, for those who reach it with the keyboard. */
  label: string;
  children: ReactNode;
  className?: string;
}

/** Scrolls in both directions, also with the arrow keys. */
export function ScrollArea({ label, children, className }: ScrollAreaProps) {
  return (
    <div {...keyboardScrollable(label)} className={classNames("relative overflow-auto -outline-offset-2", className)}>
      {children}
    </div>
  );
}

/**
 * Scrollable content must be reachable by keyboard (WCAG 2.1.1), which not every browser ensures. A group, not a
 * region: regions are landmarks, and a transcript has many tables and diffs with the same name.
 */
export function keyboardScrollable(label: string) {
  return { role: "group", tabIndex: 0, "aria-label": label } as const;
}
