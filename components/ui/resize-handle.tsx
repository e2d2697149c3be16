"use client";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";

export interface ResizeHandleProps {
  label: string;
  width: number;
  min: number;
  max: number;
  onWidth: (width: number) => void;
}

const STEP_PX = 16;

/** At the left edge of a region on the right: resized by dragging, or with the arrow keys. */
export function ResizeHandle({ label, width, min, max, onWidth }: ResizeHandleProps) {
  const drag = useRef<{ startX: number; startWidth: number } | null>(null);
  const set = (next: number) => onWidth(Math.min(max, Math.max(min, Math.round(next))));
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { startX: event.clientX, startWidth: width };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) set(drag.current.startWidth + drag.current.startX - event.clientX);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    set(width + (event.key === "ArrowLeft" ? STEP_PX : -STEP_PX));
  };
  return (
    <div
      role="slider"
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null;
      }}
      onKeyDown={onKeyDown}
      className="absolute inset-y-0 -left-1 z-2 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1 after:w-px hover:after:bg-border-strong focus-visible:after:bg-focus"
    />
  );
}
