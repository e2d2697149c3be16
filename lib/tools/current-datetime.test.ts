import { expect, test } from "vitest";
import { currentDatetimeTool } from "./current-datetime";

/** Calls the tool at the given time, as the loop does. */
async function at(time: string, args: Record<string, unknown> = {}) {
  const parsed = currentDatetimeTool.parse(args);
  const context = { now: () => Date.parse(time) };
  return currentDatetimeTool.execute(parsed.ok ? parsed.args : null, { context } as never);
}

test("without a timezone it is UTC", async () => {
  expect(await at("2026-11-22T02:05:26.789Z")).toBe("2026-11-22T02:05:26+00:00");
});

test.each([
  ["Europe/Berlin", "2026-07-01T12:00:00Z", "2026-07-01T14:00:00+02:00"],
  ["Europe/Berlin", "2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00"],
  ["Asia/Kolkata", "2026-01-01T20:00:00Z", "2026-01-02T01:30:00+05:30"],
  ["America/New_York", "2026-01-01T04:59:59Z", "2025-12-31T23:59:59-05:00"],
  ["Asia/Tokyo", "2026-01-01T15:00:00Z", "2026-01-02T00:00:00+09:00"],
])("%s has its own offset", async (timezone, time, text) => {
  expect(await at(time, { timezone })).toBe(text);
});

test("an unknown timezone is an error that says what to use", async () => {
  await expect(at("2026-01-01T00:00:00Z", { timezone: "Mars/Base" })).rejects.toThrow("unknown timezone: Mars/Base");
});
