import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { answers, ownLinkOf, useSafeLinks } from "./use-safe-links";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  // A followed link leads to the page that the next test's link targets.
  history.replaceState(null, "", "/");
});

/** Clicks a link on a page; false if the default action, following the link, was prevented. */
function follow(isReachable: boolean, go: (href: string) => void): boolean {
  function Page() {
    useSafeLinks(isReachable, go);
    return (
      <a href="/traces?status=failed">
        <span>Traces</span>
      </a>
    );
  }
  render(<Page />);
  return fireEvent.click(screen.getByText("Traces"));
}

test.each([
  ["without a network", true, false],
  ["while the server is away", false, true],
])("%s a link to another page is looked at before it is followed", (_, isReachable, isOnline) => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  const go = vi.fn();
  expect(follow(isReachable, go)).toBe(false);
  expect(go).toHaveBeenCalledExactlyOnceWith("/traces?status=failed");
});

test("while the server is up a link is followed unchanged", () => {
  const go = vi.fn();
  expect(follow(true, go)).toBe(true);
  expect(go).not.toHaveBeenCalled();
});

test("a server that answers with an error is up; one that does not answer is down", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 503 }));
  expect(await answers()).toBe(true);
  vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("fetch failed")));
  expect(await answers()).toBe(false);
});

function clicked(attributes: Record<string, string>, held: MouseEventInit = {}): string | null {
  const link = document.createElement("a");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  const event = new MouseEvent("click", held);
  Object.defineProperty(event, "target", { value: link });
  return ownLinkOf(event);
}

test("a plain click on a link to another page of ours is one that needs the server", () => {
  expect(clicked({ href: "/traces" })).toBe("/traces");
  expect(clicked({ href: "/?agent=other#top" })).toBe("/?agent=other#top");
});

test.each([
  ["another host", { href: "https://a.example/" }, {}],
  ["a tab of its own", { href: "/traces", target: "_blank" }, {}],
  ["a new tab by key", { href: "/traces" }, { ctrlKey: true }],
  ["a place in this page", { href: "#top" }, {}],
  ["nothing", {}, {}],
])("a link to %s is the browser's to follow", (_, link, held) => {
  expect(clicked(link, held)).toBeNull();
});
