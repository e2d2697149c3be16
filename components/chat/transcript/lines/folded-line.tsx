"use client";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { z } from "zod";
import { classNames } from "@/lib/client/ui/class-names";
import { useRemembered } from "@/lib/client/ui/use-remembered";

const IsOpen = z.boolean();

export interface FoldedLineProps {
  /** Identifies this line: whether it is open is remembered after it leaves the screen. */
  memory: string;
  title: string;
  /** Next to the title, folded or open: failures. */
  badge?: ReactNode;
  /** The contents, in one line; shown while folded. */
  gist: ReactNode;
  fact?: ReactNode;
  /** Whether it starts open, before a person opens or folds it. */
  isOpenAtFirst?: boolean;
  children: ReactNode;
}

/** Finished work that needs no reading, as a line of 24 px that expands. */
export function FoldedLine({ memory, title, badge, gist, fact, isOpenAtFirst = false, children }: FoldedLineProps) {
  const chosen = useRemembered(`folded ${memory}`, IsOpen);
  const isOpen = chosen.value ?? isOpenAtFirst;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => chosen.set(!isOpen)}
        className="flex h-6 w-full items-center gap-2 rounded-sm text-left text-sm text-muted touch-row pointer-coarse:-my-2.5 hover:text-foreground"
      >
        <ChevronRight className={classNames("size-3.5 shrink-0 text-subtle", isOpen && "rotate-90")} aria-hidden />
        <span className="shrink-0 max-sm:min-w-0 max-sm:shrink max-sm:truncate">{title}</span>
        {badge}
        {isOpen ? null : <span className="min-w-0 flex-1 truncate text-subtle max-sm:basis-0">{gist}</span>}
        <span className="tnum ml-auto shrink-0 text-xs">{fact}</span>
      </button>
      {isOpen ? children : null}
    </div>
  );
}
