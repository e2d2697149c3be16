import { expect, test } from "vitest";
import type { QuietHours } from "@/lib/schema/users/notification";
import { nextSummaryAt, sendAt } from "./quiet-hours";

const NIGHT: QuietHours = { from: "22:00", to: "07:00", decisionsPass: true };

/** When an event at that time is sent, as UTC. */
const sent = (at: string, quietHours: QuietHours | null = NIGHT, timeZone = "Europe/Berlin") =>
  sendAt({ quietHours }, "finished", { now: new Date(at), timeZone }).toISOString();

test("what comes up in quiet hours that pass midnight is sent when they end, on either side of midnight", () => {
  expect(sent("2026-07-01T19:59:00.000Z")).toBe("2026-07-01T19:59:00.000Z");
  expect(sent("2026-07-01T20:00:30.000Z")).toBe("2026-07-02T05:00:00.000Z");
  expect(sent("2026-07-02T02:00:00.000Z")).toBe("2026-07-02T05:00:00.000Z");
  expect(sent("2026-07-02T05:00:00.000Z")).toBe("2026-07-02T05:00:00.000Z");
});

test("quiet hours within one day, and in another zone, hold there", () => {
  const noon = { from: "12:00", to: "13:30", decisionsPass: false };
  expect(sent("2026-07-01T03:10:00.000Z", noon, "Asia/Tokyo")).toBe("2026-07-01T04:30:00.000Z");
  expect(sent("2026-07-01T04:30:00.000Z", noon, "Asia/Tokyo")).toBe("2026-07-01T04:30:00.000Z");
});

test("a night belongs to the day on which it begins", () => {
  // 3 July 2026 is a Friday.
  const weekdays = { ...NIGHT, days: [1, 2, 3, 4] };
  expect(sent("2026-07-02T21:00:00.000Z", weekdays)).toBe("2026-07-03T05:00:00.000Z");
  expect(sent("2026-07-03T03:00:00.000Z", weekdays)).toBe("2026-07-03T05:00:00.000Z");
  expect(sent("2026-07-03T21:00:00.000Z", weekdays)).toBe("2026-07-03T21:00:00.000Z");
  expect(sent("2026-07-04T03:00:00.000Z", weekdays)).toBe("2026-07-04T03:00:00.000Z");
  const sundayNoon = { from: "12:00", to: "13:00", decisionsPass: true, days: [0] };
  expect(sent("2026-07-05T10:30:00.000Z", sundayNoon)).toBe("2026-07-05T11:00:00.000Z");
  expect(sent("2026-07-06T10:30:00.000Z", sundayNoon)).toBe("2026-07-06T10:30:00.000Z");
});

test("the end is by the person's clock when clocks change in the night", () => {
  // In spring the night is an hour shorter, in autumn an hour longer.
  expect(sent("2026-03-28T22:00:00.000Z")).toBe("2026-03-29T05:00:00.000Z");
  expect(sent("2026-10-24T21:00:00.000Z")).toBe("2026-10-25T06:00:00.000Z");
});

test("an end in an hour that is skipped is the end of that hour, and one in a repeated hour is its first", () => {
  const untilHalfPastTwo = { ...NIGHT, to: "02:30" };
  expect(sent("2026-03-28T23:00:00.000Z", untilHalfPastTwo)).toBe("2026-03-29T01:00:00.000Z");
  expect(sent("2026-10-24T23:00:00.000Z", untilHalfPastTwo)).toBe("2026-10-25T00:30:00.000Z");
});

test("a decision passes where the person lets it, and nothing else does", () => {
  const now = new Date("2026-07-01T23:00:00.000Z");
  const at = (decisionsPass: boolean, kind: "decision" | "budget") =>
    sendAt({ quietHours: { ...NIGHT, decisionsPass } }, kind, { now, timeZone: "Europe/Berlin" }) === now;
  expect([at(true, "decision"), at(false, "decision"), at(true, "budget")]).toEqual([true, false, false]);
});

test("without quiet hours everything is sent at once", () => {
  expect(sent("2026-07-01T23:00:00.000Z", null)).toBe("2026-07-01T23:00:00.000Z");
});

test("while everything is paused nothing is sent, decisions neither, and quiet hours hold on after it", () => {
  const pausedUntil = "2026-07-01T19:30:00.000Z";
  const at = (now: string, kind: "decision" | "finished" = "finished") =>
    sendAt({ quietHours: NIGHT, pausedUntil }, kind, { now: new Date(now), timeZone: "Europe/Berlin" }).toISOString();
  expect(at("2026-07-01T18:30:00.000Z")).toBe(pausedUntil);
  expect(at("2026-07-01T18:30:00.000Z", "decision")).toBe(pausedUntil);
  expect(at("2026-07-01T19:45:00.000Z")).toBe("2026-07-01T19:45:00.000Z");
  const late = { quietHours: NIGHT, pausedUntil: "2026-07-01T20:30:00.000Z" };
  expect(sendAt(late, "finished", { now: new Date(pausedUntil), timeZone: "Europe/Berlin" }).toISOString()).toBe(
    "2026-07-02T05:00:00.000Z",
  );
});

test("what is sent once a day comes in the morning, or as the quiet hours end", () => {
  const next = (now: string, quietHours: QuietHours | null) =>
    nextSummaryAt({ quietHours }, { now: new Date(now), timeZone: "Europe/Berlin" }).toISOString();
  expect(next("2026-07-01T05:59:30.000Z", null)).toBe("2026-07-01T06:00:00.000Z");
  expect(next("2026-07-01T06:00:00.000Z", null)).toBe("2026-07-02T06:00:00.000Z");
  expect(next("2026-07-01T12:00:00.000Z", NIGHT)).toBe("2026-07-02T05:00:00.000Z");
});
