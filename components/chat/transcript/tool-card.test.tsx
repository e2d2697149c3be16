import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import { ToolHead } from "./tool-card";

afterEach(cleanup);

/** The texts that are rendered separately, of which the last is never cut. */
function partsOf(args: Record<string, unknown>, gist: string) {
  const facts = {
    id: "c",
    name: "read_file",
    kind: "read",
    state: "completed",
    output: "",
    display: undefined,
  } as const;
  const rest = {
    error: null,
    startedAtMs: 1,
    durationMs: 1,
    truncatedChars: 0,
    refused: null,
    files: [],
    approval: null,
  };
  const call: ToolCallView = { ...facts, ...rest, args, gist };
  render(<ToolHead call={call} isOpen={false} bodyId="b" onToggle={vi.fn()} />);
  const parts = [...(screen.getByTitle(gist).children ?? [])].map(({ textContent }) => textContent);
  cleanup();
  return parts;
}

it("keeps the name of a file apart from its folders, which are cut first, and a command whole", () => {
  const path = "src/components/dates/date-range-picker-with-presets.tsx";
  expect(partsOf({ path }, path)).toEqual(["src/components/dates/", "date-range-picker-wi", "th-presets.tsx"]);
  expect(partsOf({ command: "cat src/a.ts" }, "cat src/a.ts")).toEqual([]);
});
