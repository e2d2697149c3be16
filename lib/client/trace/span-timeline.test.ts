import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Span } from "@/lib/schema/traces/span";
import { testSpan } from "@/lib/testing/fixtures/test-span";
import { buildTimeline, criticalPath, gapLabel, timelineTicks } from "./span-timeline";
import { buildSpanTree } from "./span-tree";

function span(id: string, startedAtMs: number, endedAtMs: number | null, overrides: Partial<Span> = {}): Span {
  const status = endedAtMs === null ? "running" : "completed";
  return testSpan(id, { name: id, status, startedAtMs, endedAtMs, ...overrides });
}

const treeOf = (endMs: number | null, ...spans: Span[]) =>
  buildSpanTree([span("root", 0, endMs, { parentId: null, type: "agent" }), ...spans]);

describe("the timeline", () => {
  test("is straight where something always ran", () => {
    const timeline = buildTimeline(treeOf(1000, span("a", 0, 500), span("b", 500, 1000)), 0);
    expect(timeline.gaps).toEqual([]);
    expect([0, 250, 1000, 5000].map(timeline.at)).toEqual([0, 25, 100, 100]);
  });

  test("squeezes a long stretch in which nothing ran", () => {
    const timeline = buildTimeline(treeOf(300_000, span("a", 0, 50_000), span("b", 250_000, 300_000)), 0);
    expect(timeline.gaps).toEqual([{ fromMs: 50_000, toMs: 250_000 }]);
    expect(timeline.at(250_000) - timeline.at(50_000)).toBeCloseTo(3.85, 1);
    expect(gapLabel({ fromMs: 50_000, toMs: 250_000 })).toBe("3 min 20 s squeezed");
  });

  test("counts waiting for a person as idle", () => {
    const asked = span("asked", 10_000, 200_000, { status: "waiting" });
    expect(
      buildTimeline(treeOf(210_000, span("a", 0, 10_000), asked, span("b", 200_000, 210_000)), 0).gaps,
    ).toHaveLength(1);
  });

  test("grows to now while a span is open", () => {
    expect(buildTimeline(treeOf(null, span("a", 0, null)), 4000).endMs).toBe(4000);
  });

  test("never runs backwards", () => {
    const lengths = fc.array(fc.tuple(fc.nat(100_000), fc.nat(50_000)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lengths, fc.nat(200_000), fc.nat(200_000), (pairs, one, other) => {
        const spans = pairs.map(([from, length], index) => span(`s${index}`, from, from + length));
        const timeline = buildTimeline(treeOf(150_000, ...spans), 0);
        expect(timeline.at(Math.min(one, other))).toBeLessThanOrEqual(timeline.at(Math.max(one, other)) + 1e-9);
      }),
    );
  });
});

describe("ticks", () => {
  test("are at round times", () => {
    const ticks = timelineTicks(buildTimeline(treeOf(70_000, span("a", 0, 70_000)), 0));
    expect(ticks.map((tick) => tick.words)).toEqual(["0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "1:00", "1:10"]);
  });

  test("leap over a squeezed gap", () => {
    const timeline = buildTimeline(treeOf(3_600_000, span("a", 0, 20_000), span("b", 3_580_000, 3_600_000)), 0);
    const places = timelineTicks(timeline).map((tick) => tick.atMs);
    expect(places.every((atMs) => atMs <= 20_000 || atMs >= 3_580_000)).toBe(true);
  });
});

describe("the critical path", () => {
  test("takes the last of parallel calls and leaves the rest out", () => {
    const path = criticalPath(treeOf(100, span("model", 0, 40), span("quick", 41, 45), span("slow", 41, 100)), 0);
    expect([...path].sort()).toEqual(["model", "slow"]);
  });

  test("follows what still runs", () => {
    expect([...criticalPath(treeOf(null, span("a", 0, 30), span("b", 31, null)), 90)].sort()).toEqual(["a", "b"]);
  });
});
