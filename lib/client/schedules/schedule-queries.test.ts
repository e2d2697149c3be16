import { expect, test } from "vitest";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { refreshMs } from "./schedule-queries";

const NOW = Date.parse("2026-11-24T08:00:00.000Z");
const dueIn = (ms: number | null) =>
  ({ nextDueAt: ms === null ? null : new Date(NOW + ms).toISOString(), firings: [] }) as unknown as Schedule;

test("the list is read again when the next schedule is due, else now and then", () => {
  expect(refreshMs([], NOW)).toBe(10_000);
  expect(refreshMs([dueIn(null), dueIn(3_600_000)], NOW)).toBe(10_000);
  expect(refreshMs([dueIn(3_600_000), dueIn(4_000)], NOW)).toBe(4_000);
  expect(refreshMs([dueIn(-2_000)], NOW)).toBe(1_500);
});
