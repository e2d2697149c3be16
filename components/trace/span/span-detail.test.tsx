import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { buildSpanTree } from "@/lib/client/trace/span-tree";
import type { Span } from "@/lib/schema/traces/span";
import { SpanDetail } from "./span-detail";

afterEach(cleanup);

function tabsOf(type: Span["type"], attributes: Span["attributes"], chosen = "raw"): (string | null)[] {
  const facts = { id: "s1", traceId: "tr", runId: "run", parentId: null, name: "a span", status: "completed" } as const;
  const span: Span = { ...facts, type, startedAtMs: 0, endedAtMs: 1, attributes, error: null };
  const [node] = buildSpanTree([span]);
  if (!node) throw new Error("no node");
  const body = { data: null, error: null, isOpeningEarlier: false, onRetry: () => {} };
  const nothing = () => {};
  const notes = { id: "notes", label: "Notes", content: null };
  const rest = {
    notes,
    replayStep: null,
    nowMs: 1,
    tab: chosen,
    onTab: nothing,
    onOpenEarlier: nothing,
    onClose: nothing,
  };
  render(<SpanDetail node={node} span={span} body={body} {...rest} />);
  return screen.getAllByRole("tab").map(({ textContent }) => textContent);
}

test("a summary that is one model call shows its tokens; one that is made of other spans has none of its own", () => {
  expect(tabsOf("summary", { input_tokens: 10, output_tokens: 5 })).toEqual(["Tokens & cost", "Notes", "Raw"]);
  cleanup();
  expect(tabsOf("summary", { note: "4 messages summarised" })).toEqual(["Notes", "Raw"]);
});

test("a span opens on its own record, and on its notes only if they were chosen", () => {
  const selected = () => screen.getByRole("tab", { selected: true }).textContent;
  tabsOf("hook", {}, "tools");
  expect(selected()).toBe("Raw");
  cleanup();
  tabsOf("hook", {}, "notes");
  expect(selected()).toBe("Notes");
});
