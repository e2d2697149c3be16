import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { FileOpenerProvider } from "@/lib/client/files/artifact/file-opener";
import { makePng } from "@/lib/testing/files/make-png";
import { withQueries } from "@/lib/testing/react/with-queries";
import { OpenableFiles } from "./openable-files";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("a picture of a message shows itself, and other files their names", async () => {
  const fetched = vi.fn(async (_: string) => new Response(new Uint8Array(makePng(2, 2))));
  vi.stubGlobal("fetch", fetched);
  const files = [
    { path: "uploads/a.png", size: "1 KB" },
    { path: "uploads/b.csv", size: "2 KB" },
  ];
  const { container } = render(<OpenableFiles threadId="th_1" files={files} />, { wrapper: withQueries() });
  await vi.waitFor(() => expect(container.querySelectorAll("img")).toHaveLength(1));
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["a.png1 KB", "b.csv2 KB"]);
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(["/api/threads/th_1/files/content?path=uploads%2Fa.png"]);
});

test("a file that is more than its text opens beside the conversation, another one in a dialog", async () => {
  vi.stubGlobal("fetch", async () => new Response("hello"));
  const files = ["uploads/a.pdf", "uploads/b.txt"].map((path) => ({ path, size: "1 KB" }));
  const opened: string[] = [];
  const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
  const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };
  render(
    <ShellProvider value={shell}>
      <FileOpenerProvider value={(path) => opened.push(path)}>
        <OpenableFiles threadId="th_1" files={files} />
      </FileOpenerProvider>
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  fireEvent.click(screen.getByRole("button", { name: /a\.pdf/ }));
  expect([opened, screen.queryByRole("dialog")]).toEqual([["uploads/a.pdf"], null]);
  fireEvent.click(screen.getByRole("button", { name: /b\.txt/ }));
  expect(await screen.findByRole("dialog", { name: "uploads/b.txt" })).toBeTruthy();
  expect(opened).toHaveLength(1);
});
