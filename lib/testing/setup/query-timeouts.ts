import { configure } from "@testing-library/react";
import { afterAll } from "vitest";

// What a query looks for appears within milliseconds; a busy machine may take longer.
configure({ asyncUtilTimeout: 15_000 });

// Files share a window; the next one finds it as it was opened.
afterAll(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
