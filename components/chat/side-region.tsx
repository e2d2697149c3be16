"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Sheet } from "@/components/ui/overlays/sheet";
import { ResizeHandle } from "@/components/ui/resize-handle";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { WIDE } from "@/lib/client/ui/wide";

const WIDTH = { min: 264, usual: 328, max: 640 };

export interface SidePanelState {
  /** The column on the right; remembered in this browser. */
  readonly isOpen: boolean;
  readonly toggle: () => void;
  /** On narrow screens. */
  readonly isSheetOpen: boolean;
  readonly setSheetOpen: (isOpen: boolean) => void;
  /** Opens whichever fits. */
  readonly show: () => void;
}

export function useSidePanel(): SidePanelState {
  const [open, setOpen] = useKeptNumber("side-panel-open", 1);
  const [isSheetOpen, setSheetOpen] = useState(false);
  return {
    isOpen: open === 1,
    isSheetOpen,
    setSheetOpen,
    toggle: () => setOpen(open === 1 ? 0 : 1),
    show: () => (window.matchMedia(WIDE).matches ? setOpen(1) : setSheetOpen(true)),
  };
}

/**
 * The panel as a column, on wide screens. A server does not know how wide the screen is, so it draws the column of all:
 * `panel` is told where it is seen, and loads nothing elsewhere.
 */
export function SideColumn({ panel }: { panel: (isSeen: boolean) => ReactNode }) {
  const isSeen = useMediaQuery(WIDE);
  const [width, setWidth] = useKeptNumber("side-panel-width", WIDTH.usual);
  return (
    <aside
      aria-label="Run"
      style={{ width }}
      className="relative flex shrink-0 flex-col border-l border-border bg-background max-xl:hidden"
    >
      <ResizeHandle label="Width of the side panel" width={width} min={WIDTH.min} max={WIDTH.max} onWidth={setWidth} />
      {panel(isSeen)}
    </aside>
  );
}

export interface SideLineProps {
  /** The current activity: the current todo. */
  title: string;
  fact: string;
  summary: string;
  panel: SidePanelState;
  children: ReactNode;
}

/** Below 1280 px the panel is a line under the head that opens it. */
export function SideLine({ title, fact, summary, panel, children }: SideLineProps) {
  return (
    <>
      <button
        type="button"
        aria-expanded={panel.isSheetOpen}
        onClick={() => panel.setSheetOpen(true)}
        className="flex h-9 shrink-0 items-center gap-2 border-b border-border bg-background px-4 text-left text-xs -outline-offset-2 touch-row hover:bg-default xl:hidden"
      >
        <span className="min-w-0 truncate font-medium">{title}</span>
        <span className="tnum shrink-0 text-muted">{fact}</span>
        {/* Another text is another element: at the right edge one that only grows would move. */}
        <span key={summary} className="tnum ml-auto shrink-0 whitespace-nowrap text-muted">
          {summary}
        </span>
        <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
      </button>
      <Sheet label="Run" side="right" isOpen={panel.isSheetOpen} onClose={() => panel.setSheetOpen(false)}>
        {children}
      </Sheet>
    </>
  );
}
