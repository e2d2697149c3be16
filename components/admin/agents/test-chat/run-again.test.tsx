import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import { RunAgain } from "./run-again";

afterEach(cleanup);

function open(config: RawConfig) {
  const [onRun, onCancel] = [vi.fn(), vi.fn()];
  render(<RunAgain config={config} runs="draft r3" isPending={false} onRun={onRun} onCancel={onCancel} />);
  return { onRun, onCancel, lines: screen.getAllByRole("listitem").map(({ textContent }) => textContent) };
}

test("names what will be live, and which of it asks first", () => {
  const { lines } = open({
    backend: { type: "local" },
    permissions: { enabled: true, ask: ["execute"] },
    tools: ["calculate", "web_fetch", "send_invoice"],
    mcp_servers: ["github"],
  });
  expect(lines).toEqual([
    "Files are changed in a copy of its own.",
    "Commands run in the sandbox, after you allow each call.",
    "Pages are fetched.",
    "MCP servers are called: github.",
    "Other tools are called: send_invoice.",
  ]);
});

test("runs nothing until Run is pressed", () => {
  const { lines, onRun, onCancel } = open({ tools: ["calculate"] });
  expect(lines).toEqual(["It has no tools that reach anything outside the thread."]);
  expect(screen.getByRole("heading").textContent).toBe("Run again with draft r3?");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect([onRun, onCancel].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  fireEvent.click(screen.getByRole("button", { name: "Run" }));
  expect(onRun).toHaveBeenCalledOnce();
});
