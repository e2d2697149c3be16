import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Span } from "@/lib/schema/traces/span";
import type { ToolCallBody } from "@/lib/schema/traces/span-body";
import { SpanToolCalls } from "./span-tool-calls";

afterEach(cleanup);

test("two calls of one tool are not two landmarks with the same name", () => {
  const facts = {
    id: "s1",
    traceId: "tr",
    runId: "run",
    parentId: null,
    name: "llm.call",
    status: "completed",
  } as const;
  const span: Span = { ...facts, type: "llm", startedAtMs: 0, endedAtMs: 1, attributes: {}, error: null };
  const call = (id: string): ToolCallBody => ({ call: { id, name: "grep", args: {}, rawArgs: "{}" }, result: null });
  render(<SpanToolCalls span={span} calls={[call("c1"), call("c2")]} />);
  expect(screen.getAllByRole("article", { name: "grep" })).toHaveLength(2);
  expect(screen.queryByRole("region")).toBeNull();
});
