import { WaterfallBar, type WaterfallBarProps } from "@/components/ui/waterfall-row";
import type { Timeline } from "@/lib/client/trace/span-timeline";
import type { SpanNode } from "@/lib/client/trace/span-tree";
import type { SpanStatus } from "@/lib/schema/traces/span";

const LEAST_WIDTH = 0.35;

interface BarPlace {
  readonly left: number;
  readonly width: number;
}

/** A span bar's position, in per cent of the drawn width. */
function barPlace(node: SpanNode, timeline: Timeline): BarPlace {
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

export interface SpanBarProps extends Pick<WaterfallBarProps, "isCritical" | "words"> {
  node: SpanNode;
  timeline: Timeline;
  /** The CSS position and length of a share of the drawn width, in per cent: a row may be wider than its bars. */
  toLeft?: (percent: number) => string;
  toWidth?: (percent: number) => string;
}

/** Thin for a group, pale until the first token, hatched for a person, dashed when cancelled. */
export function SpanBar({ node, timeline, toLeft = percentOf, toWidth = percentOf, ...shown }: SpanBarProps) {
  const { left, width } = barPlace(node, timeline);
  const firstToken = node.firstTokenMs === null ? left : timeline.at(node.firstTokenMs);
  return (
    <WaterfallBar
      {...shown}
      kind={node.kind}
      left={toLeft(left)}
      width={toWidth(width)}
      paleShare={Math.min(1, (firstToken - left) / width)}
      look={isGroup(node) ? "group" : node.isWait ? "wait" : LOOKS[node.status]}
      areWordsLeft={left + width > 88 && left > 30}
    />
  );
}

function percentOf(percent: number): string {
  return `${percent}%`;
}

/** A model call keeps its own bar, even with its failed attempts below it. */
function isGroup(node: SpanNode): boolean {
  return node.children.length > 0 && (node.span === null || node.span.type === "agent" || node.span.type === "hook");
}
