import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { inboxQuery } from "@/lib/client/chat/asks/decisions";
import { withQueries } from "@/lib/testing/react/with-queries";
import { InboxPage } from "./inbox-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = { viewer: { scopes: ["chat"] }, go: vi.fn(), setPageKeys: vi.fn() } as unknown as Shell;

it("says that it could not be refreshed, and shows what it knows", async () => {
  const refusal = { error: { code: "internal", message: "The disk is full." } };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 500 }));
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  const page = { approvals: [], total: 0, nextCursor: null };
  client.setQueryData(inboxQuery.queryKey, { pages: [page], pageParams: [null] });
  render(
    <ShellProvider value={SHELL}>
      <InboxPage />
    </ShellProvider>,
    { wrapper: withQueries(client) },
  );
  fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Not refreshed: The disk is full.");
  expect(screen.getByText("Nothing is waiting for you")).toBeTruthy();
});
