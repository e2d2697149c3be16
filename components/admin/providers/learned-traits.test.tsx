import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Provider } from "@/lib/schema/provider";
import { withQueries } from "@/lib/testing/react/with-queries";
import { LearnedTraits } from "./learned-traits";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ENTRY = { provider: "lab", model: "a", words: "the limit of 128000" };
const LAB: Provider = {
  id: "lab",
  kind: "openai-compatible",
  name: "Lab",
  source: "database",
  variable: null,
  models: [{ id: "a", traits: { ids: "nine" } }],
  offered: ["a"],
  problem: null,
  isDefault: true,
  refusals: {
    limits: [{ ...ENTRY, contextWindow: 128_000 }],
    tools: [{ ...ENTRY, tool: "odd_tool", schemaChecksum: "1" }],
  },
};

test("a refused tool is named, and a window that a refusal named becomes the model's on a click", async () => {
  const fetched = vi.fn(async (_: string, _init?: RequestInit) => Response.json(LAB));
  vi.stubGlobal("fetch", fetched);
  const { rerender } = render(<LearnedTraits provider={LAB} />, { wrapper: withQueries() });
  expect(screen.getByText("odd_tool")).toBeTruthy();
  expect(screen.getByText(/takes 128,000 tokens/u)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Make it the window of a" }));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  const [, init] = fetched.mock.calls[0] ?? [];
  const models = [{ id: "a", traits: { ids: "nine" as const }, contextWindow: 128_000 }];
  expect(JSON.parse(String(init?.body))).toEqual({ models });
  rerender(<LearnedTraits provider={{ ...LAB, models }} />);
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.getByText(/This is its window here/u)).toBeTruthy();
});

test("nothing is shown where nothing was learned", () => {
  const { container } = render(<LearnedTraits provider={{ ...LAB, refusals: { limits: [], tools: [] } }} />, {
    wrapper: withQueries(),
  });
  expect(container.textContent).toBe("");
});
