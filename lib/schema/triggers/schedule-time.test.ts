import { expect, test } from "vitest";
import { readTimeText, timeLabel } from "./schedule-time";

test.each([
  ["every weekday at 9", { cron: "0 9 * * 1-5" }, "weekdays at 09:00"],
  ["weekdays at 17:30", { cron: "30 17 * * 1-5" }, "weekdays at 17:30"],
  ["every day at 9 am", { cron: "0 9 * * *" }, "every day at 09:00"],
  ["every night at 02:15", { cron: "15 2 * * *" }, "every day at 02:15"],
  ["Mondays at 07:30", { cron: "30 7 * * 1" }, "Mondays at 07:30"],
  ["every Monday and Friday at 5pm", { cron: "0 17 * * 1,5" }, "Mondays and Fridays at 17:00"],
  ["on the 1st at 08:00", { cron: "0 8 1 * *" }, "on the 1st at 08:00"],
  ["every 30 min", { every: "30m" }, "every 30 min"],
  ["every 2 hours", { every: "2h" }, "every 2 h"],
  ["every hour", { every: "1h" }, "every hour"],
  ["*/15 * * * *", { cron: "*/15 * * * *" }, "every 15 min"],
  ["0 9 * 1,7 *", { cron: "0 9 * 1,7 *" }, "0 9 * 1,7 *"],
  ["2026-12-01T09:00", { at: "2026-12-01T09:00" }, "once, 2026-12-01 09:00"],
])("“%s” is %o, which reads “%s”", (words, time, back) => {
  expect(readTimeText(words)).toEqual(time);
  expect(timeLabel(time)).toBe(back);
});

test.each(["fortnightly-ish", "every weekday at 25", "", "every 0 min", "on the 40th at 8"])(
  "“%s” is not understood",
  (words) => {
    expect(readTimeText(words)).toBeNull();
  },
);
