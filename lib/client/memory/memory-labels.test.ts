import { expect, test } from "vitest";
import { dayLabel, moveDay, moveMonth, noteDay, notePath, weeksOf } from "./memory-labels";

test("a month's weeks begin on Monday", () => {
  const weeks = weeksOf("2026-11");
  expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect(weeks.at(-1)).toEqual(["2026-11-30", null, null, null, null, null, null]);
  expect(weeksOf("2027-02")).toHaveLength(4);
});

test("days and months go over the ends of months and years", () => {
  expect([moveDay("2026-12-31", 1), moveDay("2024-03-01", -1)]).toEqual(["2027-01-01", "2024-02-29"]);
  expect([moveMonth("2026-12", 1), moveMonth("2026-01", -1)]).toEqual(["2027-01", "2025-12"]);
});

test("a note's path says its day", () => {
  expect(notePath("2026-11-07")).toBe("memory/202611/20261107.md");
  expect([noteDay("memory/202611/20261107.md"), noteDay("MEMORY.md")]).toEqual(["2026-11-07", null]);
});

test("a day of another year says which", () => {
  const now = new Date(2026, 10, 23, 12);
  const at = (year: number, month: number, day: number) => new Date(year, month, day, 9).toISOString();
  expect([at(2026, 10, 23), at(2026, 10, 3), at(2025, 10, 3)].map((day) => dayLabel(day, now))).toEqual([
    "today",
    "3 Nov",
    "3 Nov 2025",
  ]);
});
