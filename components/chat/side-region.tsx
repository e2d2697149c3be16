"use client";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Sheet } from "@/components/ui/overlays/dialog";
import { ResizeHandle } from "@/components/ui/resize-handle";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";

const WIDTH = { min: 264, usual: 328, max: 640 };

/** Whether the panel on the right is open; kept in this browser. */
export function useSidePanelOpen(): [isOpen: boolean, toggle: () => void] {
  const [open, setOpen] = useKeptNumber("side-panel-open", 1);
  return [open === 1, () => setOpen(open === 1 ? 0 : 1)];
}

/** The panel as a column, on wide screens. */
export function SideColumn({ children }: { children: ReactNode }) {
  const [width, setWidth] = useKeptNumber("side-panel-width", WIDTH.usual);
  return (
    <aside
      aria-label="Run"
      style={{ width }}
      className="relative flex shrink-0 flex-col border-l border-border bg-background max-xl:hidden"
    >
      <ResizeHandle label="Width of the side panel" width={width} min={WIDTH.min} max={WIDTH.max} onWidth={setWidth} />
      {children}
    </aside>
  );
}

export interface SideLineProps {
  /** What is running: the current todo. */
  title: string;
  fact: string;
  summary: string;
  children: ReactNode;
}

/** Below 1280 the panel is a line under the head that opens it. */
export function SideLine({ title, fact, summary, children }: SideLineProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className="flex h-9 shrink-0 items-center gap-2 border-b border-border bg-background px-4 text-left text-xs -outline-offset-2 touch-row hover:bg-default xl:hidden"
      >
        <span className="min-w-0 truncate font-medium">{title}</span>
        <span className="tnum shrink-0 text-muted">{fact}</span>
        <span className="flex-1" />
        <span className="tnum shrink-0 text-muted">{summary}</span>
        <ChevronRight className="size-3.5 shrink-0 text-subtle" aria-hidden />
      </button>
      <Sheet label="Run" side="right" isOpen={isOpen} onClose={() => setOpen(false)}>
        {children}
      </Sheet>
    </>
  );
}
