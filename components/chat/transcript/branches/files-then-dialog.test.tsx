import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { FilesThenDialog } from "./files-then-dialog";

const file = (path: string, change: object = {}) => ({
  path,
  version: 2,
  sizeBytes: 5,
  since: "same",
  isKept: true,
  ...change,
});

function answer(list: object): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return path.includes("/then") ? Response.json(list) : new Response("const day = 1;");
  });
  return asked;
}
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("files are listed as they were then, with what became of them, and opened at that version", async () => {
  const files = [file("a.ts"), file("b.ts", { since: "changed" }), file("c.ts", { since: "deleted" })];
  const asked = answer({ at: "2026-11-20T12:00:00.000Z", files, isCut: false });
  render(<FilesThenDialog threadId="th_1" messageId="m1" onClose={() => {}} />, { wrapper: withQueries() });
  const rows = await screen.findAllByRole("listitem");
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    "a.tsas it is now",
    "b.tschanged since",
    "c.tsdeleted since",
  ]);
  fireEvent.click(screen.getByRole("button", { name: /b\.ts/ }));
  expect(await screen.findByText(/day/)).toBeTruthy();
  expect(asked).toEqual([
    "/api/threads/th_1/files/then?message=m1",
    "/api/threads/th_1/files/content?path=b.ts&version=2",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "All files" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(3);
});

test("what was cleaned up says so and can't be opened", async () => {
  answer({ at: "2026-11-20T12:00:00.000Z", files: [file("a.ts", { isKept: false })], isCut: false });
  render(<FilesThenDialog threadId="th_1" messageId="m1" onClose={() => {}} />, { wrapper: withQueries() });
  const row = await screen.findByRole("button", { name: /a\.ts/ });
  expect([row.textContent, row.hasAttribute("disabled")]).toEqual(["a.tscleaned up, no longer kept", true]);
});

test("a version that is still being answered has the files of now", async () => {
  answer({ at: null, files: [], isCut: false });
  render(<FilesThenDialog threadId="th_1" messageId="m1" onClose={() => {}} />, { wrapper: withQueries() });
  expect(await screen.findByText(/still being answered/)).toBeTruthy();
  expect(screen.getByText("There were no files then.")).toBeTruthy();
});
