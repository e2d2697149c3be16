import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { ChoicesControl } from "./choices-control";

afterEach(cleanup);

const MODELS = ["openai:one", "openai:two"];
let latest: unknown;

function Field({ initial }: { initial?: unknown }) {
  const [value, setValue] = useState(initial);
  latest = value;
  const aria = { "aria-describedby": undefined, "aria-invalid": undefined } as const;
  return <ChoicesControl id="c" value={value} fallback={null} onChange={setValue} aria={aria} models={MODELS} />;
}

const choose = (list: string, option: string) =>
  fireEvent.click(
    screen.getAllByRole("radio", { name: option }).find((radio) => radio.closest(`[aria-label="${list}"]`)) ??
      document.body,
  );
const written = () => AgentConfig.parse({ name: "A", ...(latest === undefined ? {} : { choices: latest }) }).choices;

test("everything is on offer until one list is limited, and the other stays as it was", () => {
  render(<Field />);
  expect(written()).toBeNull();
  choose("Models", "Only these");
  expect(written()).toEqual({ models: ["openai:one"], efforts: null });
  choose("Efforts", "The model's own");
  expect(written()).toEqual({ models: ["openai:one"], efforts: [] });
  choose("Models", "The agent's own");
  expect(written()).toEqual({ models: [], efforts: [] });
  choose("Models", "All that are on");
  choose("Efforts", "Any");
  expect(latest).toBeUndefined();
});

test("a list that an agent's text leaves out offers nothing, as the text says", () => {
  render(<Field initial={{ models: ["openai:two"] }} />);
  expect(screen.getByText("openai:two")).toBeTruthy();
  choose("Models", "All that are on");
  expect(written()).toEqual({ models: null, efforts: [] });
});
