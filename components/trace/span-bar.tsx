import { WaterfallBar, type WaterfallBarProps } from "@/components/ui/waterfall-row";
import type { Timeline } from "@/lib/client/span-timeline";
import type { SpanNode } from "@/lib/client/span-tree";
import type { SpanStatus } from "@/lib/schema/span";

const LEAST_WIDTH = 0.35;

export interface BarPlace {
  readonly left: number;
  readonly width: number;
}

/** Where a span's bar stands, in per cent of the drawn width. */
export function barPlace(node: SpanNode, timeline: Timeline): BarPlace {
  const left = Math.min(timeline.at(node.startMs), 100 - LEAST_WIDTH);
  const right = timeline.at(node.endMs ?? timeline.endMs);
  return { left, width: Math.max(right - left, LEAST_WIDTH) };
}

const LOOKS: Record<SpanStatus, WaterfallBarProps["look"]> = {
  running: "live",
  completed: "plain",
  failed: "failed",
  cancelled: "cancelled",
  waiting: "wait",
  limit: "plain",
  interrupted: "failed",
};

export interface SpanBarProps {
  node: SpanNode;
  timeline: Timeline;
  isCritical?: boolean;
}

/** Thin for a group, pale until the first token, hatched for a person, dashed when cancelled. */
export function SpanBar({ node, timeline, isCritical = false }: SpanBarProps) {
  const { left, width } = barPlace(node, timeline);
  const firstToken = node.firstTokenMs === null ? left : timeline.at(node.firstTokenMs);
  return (
    <WaterfallBar
      kind={node.kind}
      left={left}
      width={width}
      paleShare={Math.min(1, (firstToken - left) / width)}
      look={isGroup(node) ? "group" : LOOKS[node.status]}
      isCritical={isCritical}
    />
  );
}

/** A model call stays a bar of its own, even with its failed attempts below it. */
function isGroup(node: SpanNode): boolean {
  return node.children.length > 0 && (node.span === null || node.span.type === "agent" || node.span.type === "hook");
}
