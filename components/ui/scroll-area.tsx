import type { ReactNode } from "react";
import { classNames } from "@/lib/client/class-names";

export interface ScrollAreaProps {
  /** What is inside, for those who reach it with the keyboard. */
  label: string;
  children: ReactNode;
  className?: string;
}

/** A scrolling region must be reachable by keyboard (WCAG 2.1.1), which not every browser grants by itself. */
const KEYBOARD_SCROLLABLE = { tabIndex: 0 };

/** Scrolls in both directions, with the arrow keys too. */
export function ScrollArea({ label, children, className }: ScrollAreaProps) {
  return (
    <section
      aria-label={label}
      {...KEYBOARD_SCROLLABLE}
      className={classNames("overflow-auto -outline-offset-2", className)}
    >
      {children}
    </section>
  );
}
