import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { ExamplePrompts, type ExamplePromptsProps } from "./example-prompts";

afterEach(cleanup);

function examplesFor(tools: string[]): (string | null)[] {
  show({ tools });
  return cards("button");
}

type Shown = Partial<AgentInfo> & Partial<Omit<ExamplePromptsProps, "agent">>;

function show({ isDemo = false, recent = [], onPick = vi.fn(), ...agent }: Shown) {
  const helper = { name: "Helper", description: "", tools: [], starters: [], ...agent } as unknown as AgentInfo;
  render(<ExamplePrompts isDemo={isDemo} recent={recent} agent={helper} onPick={onPick} />);
}

function cards(role: "button" | "link"): (string | null)[] {
  return screen.queryAllByRole(role).map((card) => card.firstElementChild?.firstElementChild?.textContent ?? "");
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

test("the agent's own starters come first, and two threads to continue among four cards", () => {
  const onPick = vi.fn();
  const recent = ["Otters", "Budget", "Older"].map((title) => ({ id: title.toLowerCase(), title }));
  show({ starters: ["Brief me", "Book a room", "Find a file", "Never shown"], tools: ["execute"], recent, onPick });
  expect(cards("button")).toEqual(["Brief me", "Book a room"]);
  expect(cards("link")).toEqual(["Otters", "Budget"]);
  expect(screen.getByRole("link", { name: /Otters/ }).getAttribute("href")).toBe("/threads/otters");
  screen.getByRole("button", { name: /Brief me/ }).click();
  expect(onPick).toHaveBeenCalledWith("Brief me");
});

test("while the demo model answers, only what it can do is offered", () => {
  show({ isDemo: true, starters: ["Brief me"], tools: ["execute"], recent: [{ id: "a", title: "Otters" }] });
  expect([cards("button"), cards("link")]).toEqual([["Run ls -la"], []]);
});
