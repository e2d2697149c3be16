import { configure } from "@testing-library/react";
import { afterAll } from "vitest";

// What is looked for comes within milliseconds; a machine with other work may take its time.
configure({ asyncUtilTimeout: 15_000 });

// Files share a window; the next one finds it as it was opened.
afterAll(() => {
  document.head.replaceChildren();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/");
});
