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

test("a picture that was looked at is drawn from the trace, and told in words where there is none", () => {
  const display = { kind: "image", path: "shots/a.png", hash: "f".repeat(64), width: 3, height: 2 };
  const call = { ...writing({ path: "shots/a.png" }), display, output: "shots/a.png: PNG", state: "completed" };
  const { container, rerender } = render(<ToolBody call={call as ToolCallView} traceHref="/traces/tr_1" />);
  const image = screen.getByRole("img", { name: "shots/a.png" });
  expect(image.getAttribute("src")).toBe(`/api/traces/tr_1/images/${"f".repeat(64)}`);
  rerender(<ToolBody call={call as ToolCallView} traceHref={null} />);
  expect(screen.queryByRole("img")).toBeNull();
  expect(container.textContent).toContain("shots/a.png: PNG");
});
