import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { FilesView } from "./files-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("says how many entries of a large folder it leaves out", async () => {
  const folder = { path: "", entries: [{ name: "a.txt", type: "file", size: 1 }], omitted: 1234, sharedThreads: 3 };
  vi.stubGlobal("fetch", async (path: string) => Response.json(path.endsWith("/changed") ? { files: [] } : folder));
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
  const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
  render(
    <ShellProvider value={shell}>
      <FilesView threadId="th_1" />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  await screen.findByText("a.txt");
  expect(screen.getByText("Shared with 3 other threads")).toBeTruthy();
  expect(screen.getByText("1,234 more are not shown.")).toBeTruthy();
});
