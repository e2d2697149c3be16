import { expect, test } from "vitest";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { firstLineOf } from "./open-trace";

function lineOf(content: string): string | null {
  const input = JSON.stringify({ messages: [{ id: "m1", role: "user", content }], transcriptPosition: 1 });
  return firstLineOf({ input } as ClaimedRun);
}

test("a run's first line is the first line of its message that is not empty", () => {
  expect(lineOf("  \n\n  Read the page  \nand tell me")).toBe("Read the page");
  expect(lineOf(" \n ")).toBeNull();
});

test("a long first line is cut at the end of a word, never inside one", () => {
  const before = "word ".repeat(38).trim();
  expect(before).toHaveLength(189);
  expect(lineOf(`${before} key-1234567890 said`)).toBe(before);
  expect(lineOf(`${before} key-123456 said`)).toBe(`${before} key-123456`);
});

test("a long first line in a script without spaces is cut between two characters", () => {
  expect(lineOf("請讀這一頁".repeat(50))).toBe("請讀這一頁".repeat(40));
});
