import { framedPage } from "@/lib/server/http/framed-page";
import { packageText } from "@/lib/server/http/package-text";
import { defineRoute } from "@/lib/server/wiring/route";

/**
 * Draws the PDF from a message {bytes}; answers with {pages} or {problem}. Pages are drawn as they scroll into view.
 */
const SCRIPT = `const MOST_PAGES = 500;
const tell = (told) => parent.postMessage(told, "*");
async function draw(file, holder, number) {
  const page = await file.getPage(number);
  const natural = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: (holder.clientWidth / natural.width) * Math.min(devicePixelRatio, 2) });
  const canvas = Object.assign(document.createElement("canvas"), { width: viewport.width, height: viewport.height });
  canvas.ariaHidden = "true";
  holder.style.aspectRatio = natural.width + " / " + natural.height;
  await page.render({ canvas, canvasContext: canvas.getContext("2d"), viewport }).promise;
  const words = (await page.getTextContent()).items.map(({ str, hasEOL }) => (str ?? "") + (hasEOL ? "\\n" : "")).join("");
  const text = Object.assign(document.createElement("p"), { textContent: words });
  holder.replaceChildren(canvas, text);
}
async function show(bytes) {
  const file = await globalThis.pdfjsLib.getDocument({
    data: bytes, useSystemFonts: true, isEvalSupported: false, enableXfa: false, verbosity: 0,
  }).promise;
  const first = (await file.getPage(1)).getViewport({ scale: 1 });
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      draw(file, target, Number(target.dataset.page)).catch((error) => tell({ problem: String(error?.message ?? error).slice(0, 300) }));
    }
  }, { rootMargin: "600px" });
  for (let number = 1; number <= Math.min(file.numPages, MOST_PAGES); number += 1) {
    const holder = document.createElement("section");
    holder.ariaLabel = "Page " + number;
    holder.dataset.page = String(number);
    holder.style.aspectRatio = first.width + " / " + first.height;
    document.body.append(holder);
    seen.observe(holder);
  }
  tell({ pages: file.numPages });
}
addEventListener("message", ({ source, data }) => {
  if (source !== parent || !(data?.bytes instanceof ArrayBuffer)) return;
  show(new Uint8Array(data.bytes)).catch((error) => tell({ problem: String(error?.message ?? error).slice(0, 300) }));
});
tell({ isReady: true });`;

const STYLE = `body { margin: 0; padding: 12px; background: #8a8a8a; }
section { position: relative; margin: 0 auto 12px; max-width: 1000px; background: #fff; box-shadow: 0 1px 4px #0006; }
canvas { display: block; width: 100%; height: 100%; }
section p { position: absolute; inset: 0; margin: 0; overflow: hidden; opacity: 0; }`;

const A_WEEK = "private, max-age=604800";

export const GET = defineRoute(
  {
    access: "read",
    produces: "text/html",
    summary: "A page that draws a PDF which is handed to it and can do nothing else, for a frame in the chat",
  },
  async () => {
    const scripts = [await packageText("unpdf/dist/pdfjs.mjs"), SCRIPT];
    return framedPage({
      body: "",
      scripts,
      areModules: true,
      style: STYLE,
      images: "data: blob:",
      cacheControl: A_WEEK,
    });
  },
);
