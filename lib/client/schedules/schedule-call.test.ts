import { expect, test } from "vitest";
import { readScheduleCall, sentenceOf } from "./schedule-call";

const CALL = { action: "create", name: "Brief", when: "every weekday at 8", prompt: "Brief me." };

test("a call that makes a schedule has a time in words", () => {
  const call = readScheduleCall({ ...CALL, timezone: "Europe/Berlin", deliver: ["thread"] });
  expect(call).toEqual({
    ...{ name: "Brief", prompt: "Brief me.", timezone: "Europe/Berlin", deliver: ["thread"] },
    time: { cron: "0 8 * * 1-5" },
  });
  expect(sentenceOf(call?.time ?? {})).toBe("Weekdays at 08:00");
});

test.each([
  { ...CALL, action: "pause" },
  { ...CALL, when: "now and then" },
  { ...CALL, secret: "more" },
  { ...CALL, when: 8 },
  { action: "create", name: "Brief" },
])("%j is shown as it is", (args) => {
  expect(readScheduleCall(args)).toBeNull();
});
