import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useCurrentInView } from "./use-current-in-view";

function Row({ path }: { path: string }) {
  const row = useCurrentInView<HTMLElement>(path);
  return (
    <nav ref={row}>
      {["/one", "/two"].map((href) => (
        <a key={href} href={href} aria-current={path.startsWith(href) ? "page" : undefined}>
          {href}
        </a>
      ))}
    </nav>
  );
}

test("The link of the current page is scrolled into view, first and after each change of the page", () => {
  const shown: (string | null)[] = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    shown.push(this.getAttribute("href"));
  });
  const { rerender } = render(<Row path="/two/part" />);
  rerender(<Row path="/one" />);
  expect(shown).toEqual(["/two", "/one"]);
});
