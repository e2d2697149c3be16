import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { extensionsQuery } from "@/lib/client/extensions/extension-queries";
import type { ExtensionInfo } from "@/lib/schema/extension";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ExtensionsPanel } from "./extensions-panel";

const CODER = { id: "coder", name: "Coder" };
const GREET: ExtensionInfo = { file: "greet.ts", name: "greet", kind: "tool", hash: "0123456789ab", agents: [CODER] };
const BAD: ExtensionInfo = {
  file: "bad/index.ts",
  name: null,
  kind: null,
  hash: "ba9876543210",
  agents: [CODER],
  error: { message: "no key", line: 3 },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(extensions: ExtensionInfo[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  client.setQueryData(extensionsQuery.queryKey, extensions);
  const page = <ExtensionsPanel />;
  render(page, { wrapper: withQueries(client) });
}

it("shows what was loaded, with its version and the agents that use it", () => {
  show([GREET]);
  const row = screen.getByRole("row", { name: /greet/ });
  expect(row.textContent).toContain("Tool");
  expect(row.textContent).toContain("0123456789ab");
  expect(within(row).getByRole("link", { name: "Coder" }).getAttribute("href")).toBe("/admin/agents/coder");
});

it("shows what failed with file, line and the agents whose runs fail", () => {
  show([BAD, GREET]);
  const notice = screen.getByRole("article");
  expect(notice.textContent).toContain("bad/index.ts could not be loaded");
  expect(notice.textContent).toContain("Line 3: no key");
  expect(within(notice).getByRole("link", { name: "Coder" })).toBeTruthy();
});

it("says how to make one when there is none", () => {
  show([]);
  expect(screen.getByText("ringmaster new extension my-first")).toBeTruthy();
  expect(screen.getByText("npm run new:extension my-first")).toBeTruthy();
});

it("loads the folder again and shows what came of it", async () => {
  const answer = vi.fn(async () => Response.json({ extensions: [GREET] }));
  vi.stubGlobal("fetch", answer);
  show([]);
  fireEvent.click(screen.getByRole("button", { name: "Reload" }));
  await waitFor(() => expect(screen.getByRole("row", { name: /greet/ })).toBeTruthy());
  expect(answer).toHaveBeenCalledWith("/api/extensions/reload", expect.objectContaining({ method: "POST" }));
});
