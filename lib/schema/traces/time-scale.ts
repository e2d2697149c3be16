/** A stretch in which nothing ran; drawn narrow, with its length next to it. Times are Unix ms. */
export interface IdleGap {
  readonly fromMs: number;
  readonly toMs: number;
}

const GAP_SHARE = 0.08;
const GAP_LEAST_MS = 5000;
/** A squeezed gap's share of the drawn width that remains without the gaps. */
const GAP_DRAWN_SHARE = 0.04;

/** The long stretches between the busy ones, in which nothing ran. */
export function idleGaps(busy: readonly IdleGap[], startMs: number, endMs: number): IdleGap[] {
  const least = Math.max(GAP_LEAST_MS, (endMs - startMs) * GAP_SHARE);
  const gaps: IdleGap[] = [];
  let reached = startMs;
  for (const span of [...busy].sort((left, right) => left.fromMs - right.fromMs)) {
    if (span.fromMs - reached >= least) gaps.push({ fromMs: reached, toMs: span.fromMs });
    reached = Math.max(reached, span.toMs);
  }
  if (busy.length > 0 && endMs - reached >= least) gaps.push({ fromMs: reached, toMs: endMs });
  return gaps;
}

/** Converts a time to per cent of the drawn width, in which gaps are narrow. */
export function timeScale(startMs: number, endMs: number, gaps: readonly IdleGap[]): (timeMs: number) => number {
  const idle = gaps.reduce((total, gap) => total + gap.toMs - gap.fromMs, 0);
  const gapDrawn = Math.max(1, endMs - startMs - idle) * GAP_DRAWN_SHARE;
  const drawnTotal = Math.max(1, endMs - startMs - idle) + gaps.length * gapDrawn;
  return (timeMs) => {
    const clamped = Math.min(Math.max(timeMs, startMs), endMs);
    let drawn = clamped - startMs;
    for (const gap of gaps) {
      if (clamped <= gap.fromMs) break;
      const length = gap.toMs - gap.fromMs;
      const inside = Math.min(clamped, gap.toMs) - gap.fromMs;
      drawn += (inside / length) * gapDrawn - inside;
    }
    return Math.min(100, (drawn / drawnTotal) * 100);
  };
}
