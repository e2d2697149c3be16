"use client";
import { type ReactNode, useEffect, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal } from "react-aria-components/Modal";
import { ClosableOverlay } from "@/components/ui/overlays/closable-overlay";
import { ResizeHandle } from "@/components/ui/resize-handle";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { WIDE } from "@/lib/client/ui/wide";
import { ArtifactPanel, type ArtifactPanelProps } from "./artifact-panel";

const WIDTH = { min: 360, usual: 668, max: 1100 };

export type ArtifactRegionProps = Omit<ArtifactPanelProps, "isExpanded" | "onExpand">;

/** A file beside the conversation, over it on narrow screens and when it is expanded. */
export function ArtifactRegion(props: ArtifactRegionProps) {
  const isWide = useMediaQuery(WIDE);
  const [isExpanded, setExpanded] = useState(false);
  const panel = (
    <ArtifactPanel
      key={props.path}
      {...props}
      isExpanded={isExpanded}
      onExpand={isWide ? () => setExpanded(!isExpanded) : null}
    />
  );
  if (isWide && !isExpanded) return <Column>{panel}</Column>;
  return (
    <ClosableOverlay
      isOpen
      onClose={isExpanded && isWide ? () => setExpanded(false) : props.onClose}
      className="overlay-motion fixed inset-0 z-40 bg-backdrop"
    >
      <Modal className="fixed inset-0 flex flex-col bg-background xl:inset-4 xl:overflow-hidden xl:rounded-lg xl:shadow-overlay">
        <AriaDialog aria-label={`File ${props.path}`} className="flex min-h-0 flex-1 flex-col outline-none">
          {panel}
        </AriaDialog>
      </Modal>
    </ClosableOverlay>
  );
}

function Column({ children }: { children: ReactNode }) {
  const [width, setWidth] = useKeptNumber("artifact-width", WIDTH.usual);
  // The list of threads folds, so that the conversation keeps its room.
  useEffect(() => {
    document.documentElement.dataset.artifact = "";
    return () => {
      delete document.documentElement.dataset.artifact;
    };
  }, []);
  return (
    <aside
      aria-label="File"
      style={{ width }}
      className="relative flex max-w-[60vw] shrink-0 flex-col border-l border-border bg-background"
    >
      <ResizeHandle label="Width of the file" width={width} min={WIDTH.min} max={WIDTH.max} onWidth={setWidth} />
      {children}
    </aside>
  );
}
