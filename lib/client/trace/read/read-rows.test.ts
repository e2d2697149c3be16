import { expect, test } from "vitest";
import type { ReadCall, ReadPassage, ReadTrace } from "@/lib/schema/traces/read-trace";
import { readMatches } from "./read-matches";
import { allFolds, foldsAbove, readRows } from "./read-rows";

const text = (value: string) => ({ text: value, chars: value.length });
const call = (id: string, more: Partial<ReadCall> = {}): ReadCall => ({
  kind: "call",
  id,
  toolCallId: id,
  spanId: null,
  tool: "execute",
  gist: "npm test",
  status: "completed",
  startedAtMs: 0,
  durationMs: 1,
  args: text('{ "command": "npm test" }'),
  result: text("tests passed"),
  isError: false,
  childRunIds: [],
  ...more,
});
const answer = (id: string, value: string): ReadPassage => ({ kind: "answer", id, text: text(value) });
const run = (runId: string, passages: ReadPassage[]) => ({ runId, name: runId, steps: 1, hasMessages: true, passages });

const trace: ReadTrace = {
  traceId: "tr",
  runId: "root",
  title: null,
  askedBy: "Ada",
  startedAt: "2026-11-20T14:02:00Z",
  hasMoreRuns: false,
  runs: [
    run("root", [answer("a", "I **test** it"), call("c", { childRunIds: ["child"] }), answer("b", "done")]),
    run("child", [call("d", { childRunIds: ["grandchild"] })]),
    run("grandchild", [answer("e", "the deepest test")]),
  ],
};
const keys = (open: Iterable<string>) => readRows(trace, new Set(open)).map(({ key, depth }) => `${depth} ${key}`);

test("a subagent is one line below its call until it is opened", () => {
  expect(keys([])).toEqual(["0 a", "0 c", "1 run child", "0 b"]);
  expect(keys(["run child"])).toEqual(["0 a", "0 c", "1 run child", "1 d", "2 run grandchild", "0 b"]);
  expect(keys(allFolds(trace))).toEqual([...["0 a", "0 c", "1 run child", "1 d", "2 run grandchild", "2 e", "0 b"]]);
});

test("a passage inside of subagents names every line that has to be opened", () => {
  expect(foldsAbove(trace, "e")).toEqual(["run child", "run grandchild"]);
  expect(foldsAbove(trace, "a")).toEqual([]);
});

test("a search counts hits in reading order, also in folded text and in subagents", () => {
  expect(readMatches(trace, "TEST").map((match) => `${match.passageId} ${match.nth} ${match.isFolded}`)).toEqual([
    "a 0 false",
    "c 0 false",
    "c 1 true",
    "c 2 true",
    "d 0 true",
    "d 1 true",
    "d 2 true",
    "e 0 true",
  ]);
  expect(readMatches(trace, " ")).toEqual([]);
});
