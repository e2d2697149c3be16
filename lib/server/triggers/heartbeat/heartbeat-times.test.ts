import { describe, expect, test } from "vitest";
import { heartbeatsDueBy, isActive, nextHeartbeatAt, paceAfterEmpty } from "./heartbeat-times";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const day = { active: "08:00-20:00", zone: "Europe/Berlin", pauseMs: 30 * MINUTE_MS };
const at = (iso: string) => new Date(iso);

describe("active hours", () => {
  test.for([
    ["2026-11-02T06:59:00Z", false],
    ["2026-11-02T07:00:00Z", true],
    ["2026-11-02T18:59:59Z", true],
    ["2026-11-02T19:00:00Z", false],
  ] as const)("%s in Berlin: %s", ([iso, expected]) => {
    expect(isActive(day, at(iso))).toBe(expected);
  });

  test("may last until midnight, or go over it", () => {
    expect(isActive({ active: "20:00-24:00", zone: "UTC" }, at("2026-11-02T23:59:00Z"))).toBe(true);
    const night = { active: "22:00-06:00", zone: "UTC" };
    const hours = ["21:59", "22:00", "05:59", "06:00"].map((time) => isActive(night, at(`2026-11-02T${time}:00Z`)));
    expect(hours).toEqual([false, true, true, false]);
  });

  test("a pause that ends at night ends with the first active minute", () => {
    expect(nextHeartbeatAt(day, at("2026-11-02T18:40:00Z"))).toEqual(at("2026-11-03T07:00:00Z"));
    expect(nextHeartbeatAt(day, at("2026-11-02T18:20:00Z"))).toEqual(at("2026-11-02T18:50:00Z"));
  });

  test("keep to the clock on the wall on the days on which it is changed", () => {
    // Daylight saving time ends on 25 October, and begins on 28 March.
    expect(nextHeartbeatAt(day, at("2026-10-24T17:59:00Z"))).toEqual(at("2026-10-25T07:00:00Z"));
    expect(nextHeartbeatAt(day, at("2027-03-27T18:59:00Z"))).toEqual(at("2027-03-28T06:00:00Z"));
    const skipped = { ...day, active: "02:30-20:00" };
    expect(nextHeartbeatAt(skipped, at("2027-03-27T18:59:00Z"))).toEqual(at("2027-03-28T01:00:00Z"));
  });

  test("in an hour that the clock repeats it beats on at the same pace", () => {
    const always = { ...day, active: null };
    expect(heartbeatsDueBy(always, at("2026-10-25T00:00:00Z"), at("2026-10-25T02:00:00Z")).count).toBe(5);
  });
});

test("what was missed is counted in active hours only", () => {
  const first = at("2026-11-02T18:30:00Z");
  expect(heartbeatsDueBy(day, first, at("2026-11-03T07:10:00Z"))).toEqual({
    count: 2,
    last: at("2026-11-03T07:00:00Z"),
    next: at("2026-11-03T07:30:00Z"),
  });
});

test("three empty beats double the pause, up to four hours, and no pause that was longer is made shorter", () => {
  const after = (every: string, beats: number) => {
    let pace = { pauseMs: every === "6h" ? 6 * HOUR_MS : HOUR_MS / 2, empty: 0 };
    for (let beat = 0; beat < beats; beat++) pace = paceAfterEmpty({ every }, pace);
    return pace.pauseMs / HOUR_MS;
  };
  expect([2, 3, 6, 9, 30].map((beats) => after("30m", beats))).toEqual([0.5, 1, 2, 4, 4]);
  expect(after("6h", 30)).toBe(6);
});
