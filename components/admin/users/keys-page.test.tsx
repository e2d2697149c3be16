import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { ApiKey } from "@/lib/schema/users/api-key";
import { withQueries } from "@/lib/testing/react/with-queries";
import { KeysPage } from "./keys-page";

vi.mock("@/components/shell/page-head", () => ({ PageHead: ({ actions }: { actions: ReactNode }) => actions }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = { setPageKeys: () => undefined } as unknown as Shell;

function show() {
  const Queries = withQueries();
  render(
    <Queries>
      <ShellProvider value={SHELL}>
        <KeysPage scopes={["read"]} />
      </ShellProvider>
    </Queries>,
  );
}

const DAY_MS = 86_400_000;

function key(name: string, expiresInDays: number | null): ApiKey {
  const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * DAY_MS).toISOString();
  const createdAt = new Date().toISOString();
  return {
    id: name,
    userId: "u",
    name,
    prefix: "rm_1",
    agents: null,
    groupId: null,
    scopes: ["read"],
    createdAt,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
}

test("a key says when it expires, and that it has expired", async () => {
  const apiKeys = [key("old", -1), key("new", 30), key("endless", null)];
  vi.stubGlobal("fetch", async () => Response.json({ apiKeys, nextCursor: null }));
  show();
  await screen.findByText("old");
  const expiry = screen.getAllByRole("row").map((row) => row.querySelectorAll("td")[4]?.textContent);
  expect(expiry.slice(1)).toEqual(["expired", "in 30 days", "never"]);
});

test("keys beyond the first page are shown when asked for, and can be revoked", async () => {
  vi.stubGlobal("fetch", async (path: string) =>
    path.includes("cursor=new")
      ? Response.json({ apiKeys: [key("old", 1)], nextCursor: null })
      : Response.json({ apiKeys: [key("new", 30)], nextCursor: "new" }),
  );
  show();
  fireEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await screen.findByText("old");
  expect(screen.getAllByRole("button", { name: "Revoke" })).toHaveLength(2);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test("the focus goes back to the button that opened the dialog once the new key was copied", async () => {
  const reply = { ...key("CI", 30), key: "rm_12345", apiKeys: [key("old", 1)], nextCursor: null };
  vi.stubGlobal("fetch", async () => Response.json(reply));
  show();
  const button = screen.getByRole("button", { name: "Create key" });
  fireEvent.click(button);
  fireEvent.change(screen.getByRole("textbox", { name: "Name" }), { target: { value: "CI" } });
  fireEvent.submit(screen.getByRole("textbox", { name: "Name" }).closest("form") as HTMLFormElement);
  fireEvent.click(await screen.findByRole("button", { name: "Done" }));
  expect(document.activeElement).toBe(button);
});
