import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { CitationContext } from "@/components/ui/markdown/citation-context";
import { Markdown } from "@/components/ui/markdown/markdown";
import { citationDrawer, SourceList } from "./citations";

afterEach(cleanup);

const SOURCES = [
  {
    number: 1,
    url: "https://otters.example/a",
    title: "About otters",
    output: "Sea otters hold hands. They eat fish.",
  },
];

test("a number that names a source opens the passage with the words marked; other numbers stay text", () => {
  const { container } = render(
    <CitationContext value={citationDrawer(SOURCES)}>
      <Markdown text={"Nice. The **sea** otters hold hands [1], see [7] and [a](https://b.example)."} />
    </CitationContext>,
  );
  expect(container.textContent).toBe("Nice. The sea otters hold hands 1, see [7] and a.");
  fireEvent.click(screen.getByRole("button", { name: "Source 1: About otters" }));
  const dialog = screen.getByRole("dialog", { name: "Source 1: About otters" });
  expect(dialog.querySelector("mark")?.textContent).toBe("otters hold hands");
  expect(dialog.querySelector("a")?.href).toBe("https://otters.example/a");
});

test("the sources of a reply are a list whose entries open the page's beginning", () => {
  render(<SourceList sources={SOURCES} />);
  fireEvent.click(screen.getByRole("button", { name: /About otters/ }));
  expect(screen.getByRole("dialog").textContent).toContain("Sea otters hold hands. They eat fish.");
});
