import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
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
