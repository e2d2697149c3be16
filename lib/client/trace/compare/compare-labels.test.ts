import { expect, test } from "vitest";
import type { ComparedCall, ComparedStep } from "@/lib/schema/traces/compare-runs";
import { changeText, stepSign, stepText } from "./compare-labels";

const SAME = { same: true, a: "x", b: "x" };
const OTHER = { same: false, a: "x", b: "y" };
const SIDE = { workedMs: 1, costUsd: 0, tokens: 1 };
const CALL = { toolCallId: "c", spanId: null, gist: "", status: "completed", durationMs: 1 };

const call = (more: Partial<ComparedCall>): ComparedCall => ({
  ...{ tool: "ls", same: true, a: CALL, b: CALL, args: SAME, result: SAME },
  ...more,
});
const step = (more: Partial<ComparedStep>): ComparedStep => ({
  ...{ step: 1, same: true, a: SIDE, b: SIDE, answer: SAME, thought: SAME, calls: [], isReordered: false },
  ...{ samePrompt: null, sameTools: null },
  ...more,
});

test("a step says in a few words what differs", () => {
  expect(stepText(step({}))).toBe("same");
  const calls = [call({ same: false, args: OTHER, result: OTHER }), call({ same: false, b: null })];
  expect(stepText(step({ same: false, answer: OTHER, calls }))).toBe("answer, calls, arguments, result");
  expect(stepText(step({ same: false, isReordered: true }))).toBe("order of calls");
  expect([stepSign(step({ same: false, b: null })), stepText(step({ same: false, b: null }))]).toEqual([
    "A",
    "only in A",
  ]);
  expect(stepSign(step({ same: false, a: null }))).toBe("B");
});

test("a change is a share of the first, and nothing where one of them is not known", () => {
  expect([changeText(100, 65), changeText(100, 250), changeText(100, 100)]).toEqual(["−35 %", "+150 %", ""]);
  expect([changeText(null, 1), changeText(0, 1), changeText(1000, 1001)]).toEqual(["", "", ""]);
});
