import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ModelSummary } from "./model-summary";

const PRICE = { input: 3, cachedRead: 0.3, cachedWrite: 3.75, output: 15 };
const PROVIDER = {
  id: "own",
  kind: "openai-compatible",
  name: "Own",
  source: "database",
  variable: null,
  problem: null,
  models: [],
  offered: ["big", "local"],
  isDefault: false,
  known: [{ id: "big", contextWindow: 200_000, price: PRICE }, { id: "local" }],
};
const LIST = { providers: [PROVIDER], defaultModel: null, nextCursor: null };

const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json(path === "/api/providers" ? LIST : PROVIDER);
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(model: string) {
  const Queries = withQueries();
  return render(
    <Queries>
      <ModelSummary model={model} />
    </Queries>,
  );
}

test("says how large a model's window is and what it costs", async () => {
  show("own:big");
  const words = "200k window. $3.00 in, $0.30 cached, $15.00 out per million tokens.";
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

test("says that a price is unknown, and where to add it", async () => {
  show("own:local");
  expect(await screen.findByText(/The price of local is not known\. Its tokens count/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add a price" }).getAttribute("href")).toBe("/admin/models?provider=own");
});

test("asks nothing about a provider that is not there, nor about the demo model", async () => {
  const { container } = show("other:x");
  await vi.waitFor(() => expect(asked).toContain("/api/providers"));
  expect([container.textContent, asked.filter((path) => path !== "/api/providers")]).toEqual(["", []]);
});
