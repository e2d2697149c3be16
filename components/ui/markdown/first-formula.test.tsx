import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "./markdown";

afterEach(cleanup);

test("the page's first formula is not seen as it is written: what comes before it is shown, then all at once", async () => {
  const seen: string[] = [];
  const page = document.body.appendChild(document.createElement("div"));
  const observer = new MutationObserver(() => seen.push(page.querySelector(".katex") ? "drawn" : page.innerText));
  observer.observe(page, { childList: true, subtree: true, characterData: true });
  render(<Markdown text={"First.\n\nTake $x^2$ and $5."} />, { container: page });
  expect(page.textContent).toBe("First.");
  await waitFor(() => expect(page.querySelector("math")).not.toBeNull());
  observer.disconnect();
  expect(seen.filter((text) => text !== "drawn" && (text ?? "").includes("$x"))).toEqual([]);
  expect(page.textContent).toContain("and $5.");
});
