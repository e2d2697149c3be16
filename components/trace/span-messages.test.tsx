import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Span } from "@/lib/schema/span";
import type { ModelCallBody } from "@/lib/schema/span-body";
import { SpanMessages } from "./span-messages";

afterEach(cleanup);

const span: Span = {
  id: "s1",
  traceId: "tr",
  runId: "run",
  parentId: null,
  type: "llm",
  name: "llm.call",
  status: "completed",
  startedAtMs: 0,
  endedAtMs: 1,
  attributes: { system_sections: ["identity", "skills"], system_length: 1234 },
  error: null,
};

const modelCall: ModelCallBody = {
  step: 2,
  earlierCount: 4,
  sameAsStep: 1,
  earlier: null,
  fresh: [{ role: "tool", content: "text of a", toolCallId: "c1", name: "read_file", isError: true }],
  reply: { content: "Done", reasoning: [], toolCalls: [] },
};

function show(body: ModelCallBody | null, onOpenEarlier = () => {}) {
  render(<SpanMessages span={span} modelCall={body} isOpening={false} onOpenEarlier={onOpenEarlier} />);
}

test("what the calls share is one line that asks for the rest", () => {
  const onOpenEarlier = vi.fn();
  show(modelCall, onOpenEarlier);
  fireEvent.click(screen.getByRole("button", { name: "4 earlier messages, same as step 1" }));
  expect(onOpenEarlier).toHaveBeenCalledOnce();
});

test("shows what was new, marks an error, and the reply", () => {
  show(modelCall);
  expect(screen.getByText("text of a")).toBeTruthy();
  expect(screen.getByText("error")).toBeTruthy();
  expect(screen.getByText("Done")).toBeTruthy();
});

test("opened, the earlier messages stand in place of the line", () => {
  show({ ...modelCall, earlier: [{ role: "user", content: "Before" }] });
  expect(screen.queryByRole("button", { name: /earlier messages/ })).toBeNull();
  expect(screen.getByText("Before")).toBeTruthy();
});

test("names the parts of the system prompt", () => {
  show(modelCall);
  expect(screen.getByText(/identity, skills/).textContent).toContain("1,234 chars");
});

test("says so when the messages are gone", () => {
  show(null);
  expect(screen.getByText("The messages of this call are gone.")).toBeTruthy();
});

test("a long text is cut until somebody asks", () => {
  show({ ...modelCall, fresh: [{ role: "user", content: `${"a".repeat(3000)}the end` }] });
  expect(screen.queryByText(/the end/)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show all 3,007 characters" }));
  expect(screen.getByText(/the end/)).toBeTruthy();
});
