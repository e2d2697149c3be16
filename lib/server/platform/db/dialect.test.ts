import { describe, expect, test } from "vitest";
import { parseTimestamp, sqlJson, sqlTimestamp } from "./dialect";

describe("sqlJson", () => {
  test("replaces NUL and lone surrogates, which Postgres refuses", () => {
    expect(JSON.parse(sqlJson({ text: "a\u0000b\ud800c\udfff" }))).toEqual({ text: "a\ufffdb\ufffdc\ufffd" });
  });

  test("keeps real surrogate pairs, backslashes and JSON inside text", () => {
    const value = { text: "😀 \\u0000 C:\\users", nested: JSON.stringify({ nul: "\u0000" }) };
    expect(JSON.parse(sqlJson(value))).toEqual(value);
  });
});

describe("timestamps", () => {
  test("survive the round trip", () => {
    const date = new Date("2026-02-03T04:05:06.007Z");
    expect(sqlTimestamp(date)).toBe("2026-02-03T04:05:06.007+00:00");
    expect(parseTimestamp(sqlTimestamp(date))).toEqual(date);
    expect(parseTimestamp(null)).toBeNull();
  });
});
