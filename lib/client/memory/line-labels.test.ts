import { expect, test } from "vitest";
import type { MemoryLineUses } from "@/lib/schema/files/memory";
import { changedText, usedText } from "./line-labels";

const SINCE = "2026-11-20T12:00:00.000Z";
const THREAD = { id: "th_1", title: "Weekly report", prompts: 8, lastAt: SINCE, changes: true };
const uses = (more: Partial<MemoryLineUses>): MemoryLineUses => ({
  ...{ prompts: 9, threads: [THREAD], otherThreads: 3, changedThreads: 1, since: SINCE },
  ...more,
});

test.each([
  [uses({}), "It was in 9 prompts of 4 threads. You can't open 3."],
  [uses({ otherThreads: 0, prompts: 1 }), "It was in 1 prompt of 1 thread."],
  [uses({ threads: [], otherThreads: 1 }), "It was in 9 prompts of 1 thread. You can't open it."],
  [uses({ threads: [], otherThreads: 2 }), "It was in 9 prompts of 2 threads. You can't open them."],
  [uses({ threads: [], otherThreads: 0, prompts: 0 }), "It was in no prompt that is recorded."],
])("where a line was used, in words: %#", (found, words) => {
  expect(usedText(found)).toBe(words);
});

test("what withdrawing changes, in words", () => {
  expect(changedText(uses({}))).toMatch(/^The next prompt of 1 thread changes\./);
  expect(changedText(uses({ changedThreads: 2 }))).toMatch(/^The next prompt of 2 threads changes\./);
  expect(changedText(uses({ changedThreads: 0 }))).toMatch(/^The next prompt of no thread changes\./);
});
