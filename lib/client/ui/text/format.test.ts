import { describe, expect, it } from "vitest";
import { formatDuration } from "@/lib/schema/format-duration";
import {
  firstTokenText,
  formatAgo,
  formatBytes,
  formatClock,
  formatCost,
  formatCount,
  formatRelative,
  formatTokens,
  initials,
} from "./format";

describe("format", () => {
  it.each([
    [40, "40 ms"],
    [3900, "3.9 s"],
    [52_000, "52 s"],
    [252_000, "4 min 12 s"],
    [120_000, "2 min"],
    [7_500_000, "2 h 5 min"],
  ])("writes %i ms as %s", (durationMs, words) => {
    expect(formatDuration(durationMs)).toBe(words);
  });

  it.each([
    [812, "812"],
    [6100, "6.1k"],
    [212_000, "212k"],
    [999_900, "1M"],
    [84_200_000, "84.2M"],
  ])("shortens %i tokens to %s", (tokens, words) => {
    expect(formatTokens(tokens)).toBe(words);
  });

  it.each([0, 7, 999, 1000, 12_345, 1_234_567, -1234, 1234.5, Number.NaN, 2e21])(
    "counts %d as English does",
    (count) => {
      expect(formatCount(count)).toBe(count.toLocaleString("en"));
    },
  );

  it("says unknown for a cost that is not known, never 0", () => {
    expect([formatCost(null), formatCost(0), formatCost(0.0004), formatCost(0.145)]).toEqual([
      "unknown",
      "$0",
      "<$0.001",
      "$0.145",
    ]);
  });

  it("runs a clock past the hour", () => {
    expect([formatClock(62_000), formatClock(3_605_000)]).toEqual(["1:02", "1:00:05"]);
  });

  it("says how long ago in the largest unit that fits", () => {
    const now = Date.parse("2026-11-22T12:00:00Z");
    const ago = (minutes: number) => formatRelative(now - minutes * 60_000, now);
    expect([ago(0), ago(6), ago(180), ago(2 * 24 * 60)]).toEqual(["now", "6 min", "3 h", "Fri"]);
    const asked = (minutes: number) => formatAgo(now - minutes * 60_000, now);
    expect([asked(0), asked(6), asked(180), asked(2 * 24 * 60)]).toEqual(["now", "6 min ago", "3 h ago", "Fri"]);
  });

  it("counts bytes in units of 1024 and takes initials from both names", () => {
    expect([formatBytes(32), formatBytes(4096), formatBytes(38_912)]).toEqual(["32 B", "4.0 KB", "38 KB"]);
    expect([initials("Mara Klein"), initials("admin"), initials("")]).toEqual(["MK", "A", "?"]);
  });

  it("does not say that no token came while one may still come", () => {
    expect([firstTokenText(80, true), firstTokenText(null, true), firstTokenText(null, false)]).toEqual([
      formatDuration(80),
      "not yet known",
      "none",
    ]);
  });
});
