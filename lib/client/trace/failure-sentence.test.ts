import { expect, test } from "vitest";
import type { Span } from "@/lib/schema/traces/span";
import { testSpan as span } from "@/lib/testing/fixtures/test-span";
import { failureSentence } from "./failure-sentence";
import { buildSpanTree, failureIn } from "./span-tree";

const error = "It broke.";
const failed = { status: "failed", error } as const;
const root = span("root", { ...failed, parentId: null, type: "agent", name: "coder" });

function wordsOf(...spans: readonly Span[]): string | null {
  return failureSentence({ runId: "run_1", error }, failureIn(buildSpanTree([root, ...spans])));
}

test.each<[string, Span[]]>([
  [
    "The model call of step 2 failed.",
    [span("a", { ...failed, type: "llm", name: "llm.call", attributes: { step: 2 } })],
  ],
  ["The call of execute of step 1 failed.", [span("a", { ...failed, attributes: { step: 1, tool_name: "execute" } })]],
  ["The hook pii_guard failed.", [span("a", { ...failed, type: "hook", name: "pii_guard" })]],
  ["The run failed.", []],
  [
    "The model call of step 3 of a subagent failed.",
    [
      span("child", { ...failed, type: "agent", name: "researcher", runId: "run_2" }),
      span("a", {
        ...{ ...failed, type: "llm", name: "llm.call", parentId: "child", runId: "run_2", attributes: { step: 3 } },
      }),
    ],
  ],
])("where a run failed is one sentence without the error: %s", (words, spans) => {
  expect(wordsOf(...spans)).toBe(words);
});

test("the run itself is named where no span inside has its error", () => {
  expect(wordsOf(span("a", { ...failed, error: "exit 1", attributes: { step: 1 } }))).toBe("The run failed.");
});

test("nothing is said where nothing failed", () => {
  expect(failureSentence({ runId: "run_1", error }, undefined)).toBeNull();
});
