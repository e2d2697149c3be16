import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { ExamplePrompts } from "./example-prompts";

afterEach(cleanup);

function examplesFor(tools: readonly string[]): (string | null)[] {
  const agent = { name: "Helper", description: "", tools } as unknown as AgentInfo;
  render(<ExamplePrompts agent={agent} onPick={vi.fn()} />);
  return screen
    .queryAllByRole("button")
    .map((button) => button.firstElementChild?.firstElementChild?.textContent ?? "");
}

test("an agent with every tool is shown at what sets it apart: a plan, a command, a question, a subagent", () => {
  const tools = ["write_todos", "write_file", "ls", "execute", "ask_user", "task", "calculate"];
  expect(examplesFor(tools)).toEqual([
    "Plan and create a small website about otters",
    "Run ls -la",
    "Ask me which colour: red or blue",
    "Research otters",
  ]);
});

test("an agent is never asked for something it has no tool for", () => {
  expect(examplesFor(["write_todos", "calculate"])).toEqual([
    "Calculate (12 + 30) * 1.5",
    "Plan a birthday party for ten people",
  ]);
});
