import { formatDuration } from "@/lib/schema/format-duration";
import { type IdleGap, idleGaps, timeScale } from "@/lib/schema/traces/time-scale";
import { allNodes, type SpanNode } from "./span-tree";

export interface Tick {
  readonly atMs: number;
  /** Per cent of the drawn width. */
  readonly left: number;
  readonly words: string;
}

/** The drawn time of a trace: `at` converts a time to per cent of the width. */
export interface Timeline {
  readonly startMs: number;
  readonly endMs: number;
  readonly gaps: readonly IdleGap[];
  at(timeMs: number): number;
}

/** `nowMs` is the end of spans that are still running. */
export function buildTimeline(tree: readonly SpanNode[], nowMs: number): Timeline {
  let startMs = Number.POSITIVE_INFINITY;
  let endMs = Number.NEGATIVE_INFINITY;
  const busy: IdleGap[] = [];
  for (const node of allNodes(tree)) {
    const until = node.endMs ?? nowMs;
    startMs = Math.min(startMs, node.startMs);
    endMs = Math.max(endMs, until);
    if (node.children.length === 0 && !node.isWait && node.status !== "waiting")
      busy.push({ fromMs: node.startMs, toMs: until });
  }
  if (startMs > endMs) return { startMs: 0, endMs: 0, gaps: [], at: () => 0 };
  const gaps = idleGaps(busy, startMs, endMs);
  return { startMs, endMs, gaps, at: timeScale(startMs, endMs, gaps) };
}

const TICK_STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 86_400_000,
];

/** Round times, about `wanted` of them and at least `apart` per cent apart; none inside a squeezed gap. */
export function timelineTicks(timeline: Timeline, wanted = 8, apart = 6): Tick[] {
  const idle = timeline.gaps.reduce((total, gap) => total + gap.toMs - gap.fromMs, 0);
  const drawnMs = Math.max(1, timeline.endMs - timeline.startMs - idle);
  const stepMs = TICK_STEPS_MS.find((step) => drawnMs / step <= wanted) ?? 86_400_000;
  const ticks: Tick[] = [];
  for (let atMs = 0; atMs <= timeline.endMs - timeline.startMs; atMs = nextTick(timeline, atMs, stepMs)) {
    const left = timeline.at(timeline.startMs + atMs);
    const last = ticks.at(-1);
    if (last === undefined || left - last.left >= apart) ticks.push({ atMs, left, words: tickLabel(atMs, stepMs) });
  }
  return ticks;
}

function nextTick(timeline: Timeline, atMs: number, stepMs: number): number {
  const next = atMs + stepMs;
  const gap = timeline.gaps.find(
    ({ fromMs, toMs }) => fromMs - timeline.startMs < next && next < toMs - timeline.startMs,
  );
  return gap ? Math.ceil((gap.toMs - timeline.startMs) / stepMs) * stepMs : next;
}

function tickLabel(atMs: number, stepMs: number): string {
  if (stepMs < 1000) return atMs < 1000 ? `${atMs} ms` : `${Number((atMs / 1000).toFixed(2))} s`;
  if (atMs < 60_000) return `${atMs / 1000} s`;
  const seconds = Math.floor(atMs / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

export function gapLabel(gap: IdleGap): string {
  return `${formatDuration(gap.toMs - gap.fromMs)} squeezed`;
}

/**
 * The spans that determined how long the trace took: walking back from the end, always the child that ended last before
 * the point reached. Ids of leaves and model calls only; shortening any other span would not have ended the run
 * earlier.
 */
export function criticalPath(tree: readonly SpanNode[], nowMs: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (const root of tree) walkBack(root, root.endMs ?? nowMs, nowMs, found);
  return found;
}

function walkBack(node: SpanNode, untilMs: number, nowMs: number, found: Set<string>): void {
  // A model call's failed attempts are part of its own time.
  if (node.children.length === 0 || node.span?.type === "llm") {
    found.add(node.id);
    return;
  }
  const byEnd = [...node.children].sort((left, right) => (right.endMs ?? nowMs) - (left.endMs ?? nowMs));
  let reached = untilMs;
  for (const child of byEnd) {
    if ((child.endMs ?? nowMs) > reached || child.startMs >= reached) continue;
    walkBack(child, child.endMs ?? nowMs, nowMs, found);
    reached = child.startMs;
  }
}
