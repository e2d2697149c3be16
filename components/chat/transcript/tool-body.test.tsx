import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { ToolBody } from "./tool-body";

afterEach(cleanup);

test("a plan in the transcript says how far each todo was, and does not move: it is what was written then", () => {
  const todos = [
    { id: "1", title: "Look", status: "done" },
    { id: "2", title: "Mend", status: "in_progress" },
    { id: "3", title: "Check", status: "pending" },
  ];
  const call = { display: { kind: "todos", todos }, error: null, truncatedChars: 0 } as unknown as ToolCallView;
  render(<ToolBody call={call} />);
  const rings = screen.getAllByRole("img");
  expect(rings.map((ring) => ring.getAttribute("aria-label"))).toEqual(["Done", "In progress", "To do"]);
  for (const ring of rings) expect(ring.getAttribute("class")).toContain("animate-none");
});

const writing = (args: Record<string, unknown>) =>
  ({
    display: undefined,
    error: null,
    output: "",
    truncatedChars: 0,
    state: "writing",
    args,
  }) as unknown as ToolCallView;

test("a file is shown as that file while the model writes it, and an edit as its text", () => {
  const { container, rerender } = render(<ToolBody call={writing({ path: "a.md", content: "# One\nTwo" })} />);
  expect(container.textContent).toContain("Two");
  expect(container.textContent).not.toContain("\\n");
  rerender(<ToolBody call={writing({ path: "a.md", old_text: "# One\nTwo" })} />);
  expect(container.textContent).toContain("Two");
  expect(container.textContent).not.toContain("old_text");
});
