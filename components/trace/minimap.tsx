"use client";
import { useEffect, useRef } from "react";
import { gapLabel, type Timeline } from "@/lib/client/trace/span-timeline";
import type { SpanRow } from "@/lib/client/trace/span-tree";

export interface MinimapProps {
  rows: readonly SpanRow[];
  timeline: Timeline;
  /** The visible rows, as fractions of all rows. */
  window: { readonly from: number; readonly to: number };
  onJump: (share: number) => void;
}

/** The map's height in px: `h-11` without its line below. */
const HEIGHT = 43;
const FRAME_LEAST = 3;

/**
 * The whole trace on one canvas, however many spans; the frame is what the list shows. For the pointer only. Key it by
 * the theme: a canvas does not follow theme changes by itself.
 */
export function Minimap({ rows, timeline, window: shown, onJump }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current) draw(canvas.current, rows, timeline);
    });
    return () => cancelAnimationFrame(frame);
  }, [rows, timeline]);
  const gap = timeline.gaps[0];
  const framed = Math.max(FRAME_LEAST, (shown.to - shown.from) * HEIGHT);
  return (
    <div
      className="relative h-11 shrink-0 cursor-pointer border-b border-border bg-background"
      aria-hidden="true"
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onJump((event.clientY - box.top) / box.height);
      }}
    >
      <div className="absolute inset-x-3 inset-y-1">
        <canvas ref={canvas} className="size-full" />
        {gap ? (
          <span
            className="tnum absolute top-2.5 rounded-sm bg-background px-1 text-2xs text-muted max-md:hidden"
            style={{ left: `calc(${Math.min(timeline.at(gap.toMs), 80)}% + 6px)` }}
          >
            {gapLabel(gap)}
          </span>
        ) : null}
      </div>
      <div
        className="absolute inset-x-1 top-0 rounded-sm border will-change-transform border-border-strong bg-foreground/4"
        // Transformed, not laid out: it follows each frame of scrolling.
        style={{ height: framed, transform: `translateY(${Math.min(shown.from * HEIGHT, HEIGHT - framed)}px)` }}
      />
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, rows: readonly SpanRow[], timeline: Timeline): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const scale = globalThis.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const colors = new Map<string, string>();
  rows.forEach(({ node }, index) => {
    const name = node.status === "failed" ? "--fail" : `--kind-${node.kind}`;
    if (!colors.has(name)) colors.set(name, color(name));
    context.fillStyle = colors.get(name) ?? "gray";
    const left = (timeline.at(node.startMs) / 100) * width;
    const right = (timeline.at(node.endMs ?? timeline.endMs) / 100) * width;
    context.fillRect(left, (index / rows.length) * height, Math.max(2, right - left), 1);
  });
  context.fillStyle = color("--border-strong");
  for (const gap of timeline.gaps) {
    for (const edge of [gap.fromMs, gap.toMs]) {
      for (let y = 0; y < height; y += 4) context.fillRect((timeline.at(edge) / 100) * width, y, 1, 2);
    }
  }
}
