import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { followsOwnLink, useOfflineLinks } from "./use-offline-links";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("without a network a link to another page leads nowhere and says so", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const onStay = vi.fn();
  function Page() {
    useOfflineLinks(onStay);
    return (
      <a href="/traces">
        <span>Traces</span>
      </a>
    );
  }
  render(<Page />);
  // False when its default, following the link, was prevented.
  expect(fireEvent.click(screen.getByText("Traces"))).toBe(false);
  expect(onStay).toHaveBeenCalledOnce();
});

function clicked(attributes: Record<string, string>, held: MouseEventInit = {}): boolean {
  const link = document.createElement("a");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  const event = new MouseEvent("click", held);
  Object.defineProperty(event, "target", { value: link });
  return followsOwnLink(event);
}

test("a plain click on a link to another page of ours is one that needs the network", () => {
  expect(clicked({ href: "/traces" })).toBe(true);
  expect(clicked({ href: "/?agent=other" })).toBe(true);
});

test.each([
  ["another host", { href: "https://a.example/" }, {}],
  ["a tab of its own", { href: "/traces", target: "_blank" }, {}],
  ["a new tab by key", { href: "/traces" }, { ctrlKey: true }],
  ["a place in this page", { href: "#top" }, {}],
  ["nothing", {}, {}],
])("a link to %s is the browser's to follow", (_, link, held) => {
  expect(clicked(link, held)).toBe(false);
});
