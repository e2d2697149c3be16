import { expect, test } from "vitest";
import { dueBy, nextDue, requireTimes, type Times, upcoming } from "./due-times";

const BERLIN = "Europe/Berlin";
const iso = (dates: readonly (Date | null)[]) => dates.map((date) => date?.toISOString() ?? null);
const after = (times: Times, from: string, count: number) => iso(upcoming(times, new Date(from), count));

test("a time in the hour that the clock skips is due once, at the end of that hour", () => {
  expect(after({ cron: "30 2 * * *", timezone: BERLIN }, "2026-03-28T12:00:00Z", 2)).toEqual([
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
});

test("a time in the hour that the clock repeats is due once", () => {
  expect(after({ cron: "30 2 * * *", timezone: BERLIN }, "2026-10-24T12:00:00Z", 2)).toEqual([
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("a weekday at nine is nine in its own time zone, in summer and in winter", () => {
  const times = { cron: "0 9 * * 1-5", timezone: BERLIN };
  expect(after(times, "2026-10-23T12:00:00Z", 1)).toEqual(["2026-10-26T08:00:00.000Z"]);
  expect(after(times, "2026-06-12T12:00:00Z", 1)).toEqual(["2026-06-15T07:00:00.000Z"]);
});

test("a local time and one with an offset are the moments that they say, and are due once", () => {
  const from = new Date("2026-11-01T00:00:00Z");
  expect(nextDue({ at: "2026-12-01T09:00", timezone: BERLIN }, from)?.toISOString()).toBe("2026-12-01T08:00:00.000Z");
  expect(nextDue({ at: "2026-12-01T09:00:30-05:00", timezone: BERLIN }, from)?.toISOString()).toBe(
    "2026-12-01T14:00:30.000Z",
  );
  expect(nextDue({ at: "2026-12-01T09:00", timezone: BERLIN }, new Date("2026-12-01T08:00:00Z"))).toBeNull();
});

test("what was due while nobody looked is counted, with the last due time and the one to come", () => {
  const first = new Date("2026-11-02T08:00:00Z");
  const now = new Date("2026-11-05T12:00:00Z");
  const due = dueBy({ cron: "0 9 * * *", timezone: BERLIN }, first, now);
  expect({ ...due, last: due.last.toISOString(), next: due.next?.toISOString() }).toEqual({
    count: 4,
    last: "2026-11-05T08:00:00.000Z",
    next: "2026-11-06T08:00:00.000Z",
  });
});

test("a year of missed minutes is worked out at once", () => {
  const first = new Date("2026-01-01T00:00:00Z");
  const now = new Date("2027-01-01T00:00:30Z");
  expect(dueBy({ every: "1m" }, first, now)).toMatchObject({ count: 525_601, next: new Date("2027-01-01T00:01:00Z") });
  const byCron = dueBy({ cron: "* * * * *", timezone: "UTC" }, first, now);
  expect([byCron.last.toISOString(), byCron.next?.toISOString()]).toEqual([
    "2027-01-01T00:00:00.000Z",
    "2027-01-01T00:01:00.000Z",
  ]);
});

test.each([
  [{ cron: "0 9 * *" }, /^cron: must have five fields/],
  [{ cron: "0 0 31 2 *" }, /^cron: is never due/],
  [{ cron: "* * * * * *" }, /^cron: comes too often/],
  [{ every: "30s" }, /^every: comes too often/],
  [{ at: "2020-01-01T00:00" }, /^at: is in the past/],
  [{ at: "2026-02-30T00:00" }, /^at: must be a date/],
  [{ at: "tomorrow" }, /^at: must be a date/],
  [{ cron: "0 9 * * *", timezone: "Mars/Olympus" }, /^timezone: there is no time zone/],
])("%o is refused with what to do", (times, message) => {
  expect(() => requireTimes(times, new Date("2026-11-01T00:00:00Z"), 60_000)).toThrow(message);
});
