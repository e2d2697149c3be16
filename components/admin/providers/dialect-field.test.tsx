import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Provider } from "@/lib/schema/provider";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DialectField } from "./dialect-field";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const LAB: Provider = {
  id: "lab",
  kind: "openai-compatible",
  name: "Lab",
  source: "database",
  variable: null,
  models: [],
  offered: [],
  problem: null,
  isDefault: false,
  dialect: "auto",
  guessedDialect: "vllm",
};

test("what the address suggests is shown, and another dialect is stored as it is chosen", async () => {
  const fetched = vi.fn(async (_: string, _init?: RequestInit) => Response.json({ ...LAB, dialect: "mistral" }));
  vi.stubGlobal("fetch", fetched);
  render(<DialectField provider={LAB} />, { wrapper: withQueries() });
  fireEvent.click(screen.getByRole("button", { name: /By its address \(vLLM\) Speaks like/ }));
  fireEvent.click(await screen.findByRole("option", { name: "Mistral" }));
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  const [url, init] = fetched.mock.calls[0] ?? [];
  expect([url, init?.method, JSON.parse(String(init?.body))]).toEqual([
    "/api/providers/lab",
    "PATCH",
    { dialect: "mistral" },
  ]);
});

test("a kind with one form of requests has no choice", () => {
  const { dialect: _, guessedDialect: __, ...openai } = LAB;
  const { container } = render(<DialectField provider={{ ...openai, kind: "openai" }} />, { wrapper: withQueries() });
  expect(container.textContent).toBe("");
});
