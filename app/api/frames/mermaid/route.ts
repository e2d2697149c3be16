import { framedPage } from "@/lib/server/http/framed-page";
import { packageText } from "@/lib/server/http/package-text";
import { defineRoute } from "@/lib/server/wiring/route";

/** Answers each message {id, source, isDark} with {id, svg} or {id, problem, line}. */
const SCRIPT = `addEventListener("message", async ({ source: asker, data: { id, source, isDark } }) => {
  if (asker !== parent) return;
  try {
    mermaid.initialize({
      startOnLoad: false, securityLevel: "strict", theme: isDark ? "dark" : "neutral", htmlLabels: false,
      flowchart: { htmlLabels: false }, fontFamily: "ui-sans-serif, system-ui, sans-serif", maxTextSize: 50000,
    });
    const { svg } = await mermaid.render("diagram-" + id, source);
    parent.postMessage({ id, svg }, "*");
  } catch (error) {
    document.querySelectorAll("body > :not(script)").forEach((left) => left.remove());
    const problem = String(error?.message ?? error).slice(0, 500);
    parent.postMessage({ id, problem, line: error?.hash?.loc?.first_line ?? null }, "*");
  }
});
parent.postMessage({ isReady: true }, "*");`;

/** Roughly how long an installation stays unchanged; a new version uses a new address. */
const A_WEEK = "private, max-age=604800";

export const GET = defineRoute(
  {
    access: "read",
    produces: "text/html",
    summary: "A page that draws Mermaid diagrams and can do nothing else, for a hidden frame in the chat",
  },
  async () => {
    const scripts = [await packageText("@mermaid-js/tiny/dist/mermaid.tiny.js"), SCRIPT];
    return framedPage({ body: "", scripts, cacheControl: A_WEEK });
  },
);
