import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { AgentChoices } from "./pickers";

afterEach(cleanup);

const agent = (choices: AgentInfo["choices"]) => ({ id: "a", name: "A", model: "openai:one", choices }) as AgentInfo;

test("where the agent allows no choice, only its model is named", () => {
  render(
    <AgentChoices agent={agent({ models: [], efforts: [] })} picked={{ model: null, effort: null, set: vi.fn() }} />,
  );
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText("one")).toBeTruthy();
});

test("models and efforts are picked, and taken back", async () => {
  const set = vi.fn();
  const offered = agent({ models: ["openai:one", "openai:two"], efforts: ["low", "high"] });
  const { rerender } = render(<AgentChoices agent={offered} picked={{ model: null, effort: null, set }} />);
  fireEvent.keyDown(await screen.findByRole("button", { name: /one Model/ }), { key: "ArrowDown" });
  expect((await screen.findAllByRole("option")).map(({ textContent }) => textContent)).toEqual([
    ...["oneThe agent's own model", "twoopenai"],
  ]);
  fireEvent.click(screen.getByRole("option", { name: /two/ }));
  expect(set).toHaveBeenLastCalledWith({ model: "openai:two" });
  rerender(<AgentChoices agent={offered} picked={{ model: "openai:two", effort: "high", set }} />);
  fireEvent.click(screen.getByRole("button", { name: /High effort/ }));
  fireEvent.click(await screen.findByRole("option", { name: /Default effort/ }));
  expect(set).toHaveBeenLastCalledWith({ effort: null });
});
