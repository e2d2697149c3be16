import { expect, test } from "vitest";
import type { ReadCall } from "@/lib/schema/traces/read-trace";
import { alignCalls, isReordered } from "./align-calls";

/** "read_file:a" is a call of read_file with the arguments a. */
const call = (text: string): ReadCall => {
  const [tool = "", args = ""] = text.split(":");
  return {
    kind: "call",
    id: text,
    toolCallId: text,
    spanId: null,
    tool,
    gist: args,
    status: "completed",
    startedAtMs: null,
    durationMs: null,
    args: { text: args, chars: args.length },
    result: null,
    isError: false,
    childRunIds: [],
  };
};
const aligned = (first: string[], second: string[]) =>
  alignCalls(first.map(call), second.map(call)).map(({ a, b }) => `${a?.id ?? "-"} | ${b?.id ?? "-"}`);

test("the same tool with the same arguments belongs together wherever it stands", () => {
  expect(aligned(["ls:a", "read:b"], ["read:b", "ls:a"])).toEqual(["ls:a | ls:a", "read:b | read:b"]);
});

test("of several like calls the first belongs to the first", () => {
  const [first, second] = [[call("ls:a"), call("ls:a")], [call("ls:a")]];
  expect(alignCalls(first, second).map(({ b }) => b === second[0])).toEqual([true, false]);
});

test("with other arguments the same tool belongs together by its place, another tool does not", () => {
  expect(aligned(["ls:a", "read:b"], ["ls:c", "write:b"])).toEqual(["ls:a | ls:c", "read:b | -", "- | write:b"]);
});

test("what only the second run did stands after the call that it followed", () => {
  expect(aligned(["ls:a", "read:b"], ["ls:a", "write:x", "read:b"])).toEqual([
    "ls:a | ls:a",
    "- | write:x",
    "read:b | read:b",
  ]);
  expect(aligned([], ["ls:a", "read:b"])).toEqual(["- | ls:a", "- | read:b"]);
});

test("an order is another one only if calls of both changed places", () => {
  const reordered = (first: string[], second: string[]) => {
    const others = second.map(call);
    return isReordered(alignCalls(first.map(call), others), others);
  };
  expect(reordered(["ls:a", "read:b"], ["read:b", "ls:a"])).toBe(true);
  expect(reordered(["ls:a", "read:b"], ["ls:a", "write:x", "read:b"])).toBe(false);
});

test("every call of both runs stands in exactly one pair, in any two steps", () => {
  const random = numbers(7);
  for (let round = 0; round < 300; round += 1) {
    const steps = [0, 1].map(() => Array.from({ length: random(6) }, () => call(`${"abc"[random(3)]}:${random(3)}`)));
    const [first = [], second = []] = steps;
    const pairs = alignCalls(first, second);
    expect(pairs.flatMap(({ a }) => a ?? [])).toEqual(first);
    const ofSecond = pairs.flatMap(({ b }) => b ?? []);
    expect(new Set(ofSecond)).toEqual(new Set(second));
    expect(ofSecond).toHaveLength(second.length);
    expect(pairs.every(({ a, b }) => a === null || b === null || a.tool === b.tool)).toBe(true);
  }
});

/** The same whole numbers below a bound each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
