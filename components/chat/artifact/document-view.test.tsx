import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DocumentView } from "./document-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(reading: { text: string | null; refused: string | null }, kind: "document" | "sheets" = "document") {
  vi.stubGlobal("fetch", async () => Response.json(reading));
  return render(<DocumentView threadId="th_1" path="a.docx" version={null} kind={kind} />, { wrapper: withQueries() });
}

test("the words of a document stand as they were written, whatever they mean in Markdown", async () => {
  const lines = [
    "2 * 3 * 4 <b>no</b> [a](b) ![c](d)",
    "$x$ and $$y$$ cost `c` ~~d~~",
    "1. first",
    "- - -",
    "a_b _c_ &amp;",
  ];
  const { container } = show({ text: lines.join("\n"), refused: null });
  await screen.findByText("1. first");
  await waitFor(() => expect(container.querySelectorAll("p")).toHaveLength(4));
  const shown = [...container.querySelectorAll("p, li")].map(({ textContent }) => textContent);
  expect(shown).toEqual([lines[0], lines[1], "1. first", "- -", "a_b _c_ &amp;"]);
});

test("says why a file can't be read", async () => {
  show({ text: null, refused: "a.docx can't be read. It has more than 500 pages. Split it." });
  expect(await screen.findByText(/more than 500 pages/)).toBeTruthy();
  cleanup();
  show({ text: null, refused: null });
  expect(await screen.findByText("The file is not what its name says. Download it.")).toBeTruthy();
});
