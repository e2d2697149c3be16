import { expect, test } from "vitest";
import { localDay, startOfPeriod } from "./local-day";

const at = new Date("2026-11-23T20:30:00.000Z");

test("a day is that of the zone", () => {
  expect([localDay(at, "Asia/Tokyo"), localDay(at, "America/New_York")]).toEqual(["2026-11-24", "2026-11-23"]);
});

test("a day and a month begin at midnight there", () => {
  expect(startOfPeriod("day", at, "Asia/Tokyo").toISOString()).toBe("2026-11-23T15:00:00.000Z");
  expect(startOfPeriod("month", at, "America/New_York").toISOString()).toBe("2026-11-01T04:00:00.000Z");
});

test("a day on which clocks change begins by the clock of its midnight", () => {
  expect(startOfPeriod("day", new Date("2026-03-29T12:00:00.000Z"), "Europe/Berlin").toISOString()).toBe(
    "2026-03-28T23:00:00.000Z",
  );
  expect(startOfPeriod("day", new Date("2026-10-25T12:00:00.000Z"), "Europe/Berlin").toISOString()).toBe(
    "2026-10-24T22:00:00.000Z",
  );
});

test("a day on which midnight comes twice begins with the first, and one without midnight with its first moment", () => {
  const startsIn = (zone: string, at: string) => startOfPeriod("day", new Date(at), zone).toISOString();
  expect(startsIn("America/Havana", "2026-11-01T04:30:00.000Z")).toBe("2026-11-01T04:00:00.000Z");
  expect(startsIn("America/Havana", "2026-11-01T12:00:00.000Z")).toBe("2026-11-01T04:00:00.000Z");
  expect(startsIn("America/Havana", "2026-11-02T12:00:00.000Z")).toBe("2026-11-02T05:00:00.000Z");
  expect(startsIn("America/Havana", "2026-03-08T12:00:00.000Z")).toBe("2026-03-08T05:00:00.000Z");
});

test("without a zone it is the server's", () => {
  const now = new Date(2026, 4, 6, 7, 8);
  expect(localDay(now)).toBe("2026-05-06");
  expect(startOfPeriod("day", now)).toEqual(new Date(2026, 4, 6));
  expect(startOfPeriod("month", now)).toEqual(new Date(2026, 4, 1));
});
