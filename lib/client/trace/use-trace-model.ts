"use client";
import { useMemo } from "react";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import { buildTimeline, criticalPath, type Tick, type Timeline, timelineTicks } from "./span-timeline";
import { buildSpanTree, type SpanNode, type SpanRow, visibleRows, withWaitingRoot } from "./span-tree";
import { isWait } from "./span-wait";

/** Everything drawn of a trace, computed once per change. */
export interface TraceModel {
  readonly tree: readonly SpanNode[];
  readonly rows: readonly SpanRow[];
  readonly timeline: Timeline;
  readonly ticks: readonly Tick[];
  readonly critical: ReadonlySet<string>;
  readonly errorCount: number;
  readonly waitCount: number;
}

interface Options {
  readonly tree: readonly SpanNode[];
  readonly spans: readonly Span[];
  readonly collapsed: ReadonlySet<string>;
  readonly search: string;
  /** The end of what is still running; constant for a trace that has ended. */
  readonly nowMs: number;
}

export function useSpanTree({ spans, status }: Pick<Trace, "spans" | "status">): readonly SpanNode[] {
  return useMemo(() => buildSpanTree(withWaitingRoot(spans, status)), [spans, status]);
}

export function useTraceModel({ tree, spans, collapsed, search, nowMs }: Options): TraceModel {
  const rows = useMemo(() => visibleRows(tree, { collapsed, search }), [tree, collapsed, search]);
  const timeline = useMemo(() => buildTimeline(tree, nowMs), [tree, nowMs]);
  const ticks = useMemo(() => timelineTicks(timeline), [timeline]);
  const critical = useMemo(() => criticalPath(tree, nowMs), [tree, nowMs]);
  const errorCount = tree.reduce((total, node) => total + node.errors, 0);
  const waitCount = useMemo(() => spans.filter(isWait).length, [spans]);
  return { tree, rows, timeline, ticks, critical, errorCount, waitCount };
}
