import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ModelPicker } from "./pickers";

afterEach(cleanup);

test("a model that was chosen stays named when it is the agent's own", () => {
  const providers = [{ id: "openai", name: "OpenAI", offered: ["one", "two"] }];
  const list = { providers, defaultModel: null } as unknown as Parameters<typeof ModelPicker>[0]["providers"];
  render(<ModelPicker providers={list} ownModel="openai:one" model="openai:one" onModel={vi.fn()} />);
  expect(screen.getByRole("button").textContent).toContain("one");
});
