import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ProviderList } from "@/lib/schema/provider";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ModelDefaultsDialog } from "./model-defaults-dialog";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const LIST: ProviderList = {
  providers: [
    {
      id: "lab",
      kind: "openai-compatible",
      name: "Lab",
      source: "database",
      variable: null,
      models: [],
      offered: ["a", "b", "c"],
      problem: null,
      isDefault: true,
    },
  ],
  defaultModel: "lab:a",
  nextCursor: null,
};
const DEFAULTS = { model: "lab:a", resolved: "lab:a", fallbacks: ["lab:b", "lab:c"], fixedBy: null };

function show(reply: () => Response) {
  const fetched = vi.fn(async (_: string, _init?: RequestInit) => reply());
  vi.stubGlobal("fetch", fetched);
  render(<ModelDefaultsDialog list={LIST} defaults={DEFAULTS} onClose={() => undefined} />, { wrapper: withQueries() });
  return () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init?.body)));
}

test("every fallback has its field, in the order in which they are asked, which can be changed", async () => {
  const sent = show(() => Response.json({ ...DEFAULTS, fallbacks: ["lab:c", "lab:b"] }));
  expect(screen.getByRole("button", { name: /If it fails/ }).textContent).toContain("lab:b");
  expect(screen.getByRole("button", { name: /If fallback 1 fails too/ }).textContent).toContain("lab:c");
  expect(screen.getByRole("button", { name: /If fallback 2 fails too/ }).textContent).toContain("Nothing else");
  fireEvent.click(screen.getByRole("button", { name: "Ask lab:c earlier" }));
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent()[0]).toEqual({ model: "lab:a", fallbacks: ["lab:c", "lab:b"] }));
});

test("what the server refuses stands at the fallback that it is about", async () => {
  const details = [{ path: "fallbacks.1", message: "lab has no model c." }];
  show(() => Response.json({ error: { code: "invalid_input", message: "No.", details } }, { status: 400 }));
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("lab has no model c.")).toBeTruthy();
});

test("a reload keeps the order of fallbacks that was chosen", () => {
  show(() => Response.json({}));
  fireEvent.click(screen.getByRole("button", { name: "Ask lab:c earlier" }));
  cleanup();
  show(() => Response.json({}));
  expect(screen.getByRole("button", { name: /If it fails/ }).textContent).toContain("lab:c");
});
