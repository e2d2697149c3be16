import type { BrowserContext, ConsoleMessage } from "@playwright/test";

/** What no page may do: log an error, break its content policy, ask another host. */
export interface PageWatch {
  /** In the order they happened. */
  readonly problems: readonly string[];
}

/** Watches every page of the context. `expected` are errors that a story provokes. */
export function watchPages(context: BrowserContext, expected: readonly RegExp[] = []): PageWatch {
  const problems: string[] = [];
  const report = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  context.on("console", (message) => {
    if (message.type() === "error") report(`console: ${message.text()} (${pathOf(message)})`);
  });
  void context.addInitScript(reportViolations);
  context.on("weberror", (error) => report(`uncaught: ${error.error().message}`));
  context.on("request", (request) => {
    const url = new URL(request.url());
    const isOwn = url.hostname === "127.0.0.1" || ["data:", "blob:"].includes(url.protocol);
    if (!isOwn) report(`foreign request: ${request.url()}`);
  });
  return { problems };
}

/** In the page: browsers tell the console of some violations only, not of a refused `new Function`. */
function reportViolations(): void {
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile }) =>
    console.error(`content policy: ${effectiveDirective} refused ${blockedURI} (${sourceFile})`),
  );
}

function pathOf(message: ConsoleMessage): string {
  const { url } = message.location();
  return URL.canParse(url) ? new URL(url).pathname : url;
}
