import { configure } from "@testing-library/react";
import { afterAll } from "vitest";

// Queried elements appear within milliseconds; a busy machine may take longer.
configure({ asyncUtilTimeout: 15_000 });

// Of the window itself: KaTeX looks once, as it is loaded, and draws nothing in a page without a doctype.
Object.defineProperty(document, "compatMode", { value: "CSS1Compat", configurable: true });

// Files share a window, so each restores its initial state for the next one.
afterAll(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
