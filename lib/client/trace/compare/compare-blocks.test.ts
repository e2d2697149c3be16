import { expect, test } from "vitest";
import type { ComparedRuns, ComparedStep, CompareSide } from "@/lib/schema/traces/compare-runs";
import { compareBlocks } from "./compare-blocks";
import { differences } from "./compare-labels";

const SAME = { same: true, a: "x", b: "x" };
const NONE = { same: true, a: null, b: null };
const step = (number: number, same: boolean): ComparedStep => ({
  ...{ step: number, same, a: null, b: null, answer: SAME, thought: NONE, calls: [], isReordered: false },
  ...{ samePrompt: null, sameTools: null },
});
const SIDE = {} as CompareSide;
const compared = (steps: ComparedStep[], more: Partial<ComparedRuns> = {}): ComparedRuns => ({
  ...{ a: SIDE, b: SIDE, config: null, message: SAME, steps, end: NONE, firstDifference: null },
  ...more,
});

test("steps that are the same are one line for each row of them", () => {
  const found = compared([step(1, true), step(2, true), step(3, false), step(4, true)]);
  expect(compareBlocks(found, false).map(({ key }) => key)).toEqual(["same-1", "step-3", "same-4"]);
  expect(compareBlocks(found, true).map(({ key }) => key)).toEqual([
    ...["message", "step-1", "step-2", "step-3", "step-4"],
  ]);
});

test("settings, message and end are shown where they differ, and counted as differences", () => {
  const other = { same: false, a: "x", b: null };
  const found = compared([step(1, false)], { config: other, message: other, end: other });
  expect(compareBlocks(found, false).map(({ key }) => key)).toEqual(["config", "message", "step-1", "end"]);
  expect(differences(found)).toEqual(["config", "message", "step-1", "end"]);
  expect(differences(compared([step(1, true)]))).toEqual([]);
});
