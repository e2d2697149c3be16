import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { usersQuery } from "@/lib/client/users/user-queries";
import type { User } from "@/lib/schema/users/user";
import { withQueries } from "@/lib/testing/react/with-queries";
import { UsersPage } from "./users-page";

const SHELL = { setPageKeys: () => undefined } as unknown as Shell;
const MORNING = "2026-01-01T08:00:00Z";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("sends what changes a user once, and shows that it is on its way", async () => {
  const answer = vi.fn(() => new Promise(() => undefined));
  vi.stubGlobal("fetch", answer);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  const dates = { createdAt: MORNING, deactivatedAt: MORNING, erasedAt: null };
  const zed: User = { id: "zed", email: "zed@example.org", name: "Zed", role: "viewer", groupRole: null, ...dates };
  client.setQueryData(usersQuery.queryKey, { pages: [{ users: [zed], nextCursor: null }], pageParams: [null] });
  render(
    <ShellProvider value={SHELL}>
      <NuqsTestingAdapter>
        <UsersPage viewerId="ada" />
      </NuqsTestingAdapter>
    </ShellProvider>,
    { wrapper: withQueries(client) },
  );
  const button = screen.getByRole("button", { name: "Reactivate" });
  fireEvent.click(button);
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("true"));
  fireEvent.click(button);
  expect(answer).toHaveBeenCalledOnce();
});
