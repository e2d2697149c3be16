import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { framedPage } from "@/lib/server/http/framed-page";
import { isForIframe } from "@/lib/server/http/request-origin";
import { defineRoute } from "@/lib/server/wiring/route";

/** Tells the surrounding page how large the image is, or that there is none. */
const SCRIPT = `const image = document.querySelector("img");
const tell = () => parent.postMessage({ width: image.naturalWidth, height: image.naturalHeight }, "*");
if (image.complete) tell();
else for (const name of ["load", "error"]) image.addEventListener(name, tell);`;

const STYLE = "body { margin: 0 } img { display: block; width: 100%; height: auto }";

export const GET = defineRoute(
  {
    access: "read",
    query: z.strictObject({ src: z.url({ protocol: /^https?$/u }).max(4000) }),
    produces: "text/html",
    summary: "A page that shows one image of another site and can do nothing else, for a frame in the chat",
  },
  ({ query, request }) => {
    if (!isForIframe(request)) throw new AppError("not_found", "There is no such page.");
    const { href, origin } = new URL(query.src);
    const body = `<img alt="" referrerpolicy="no-referrer" src="${escapeAttribute(href)}">`;
    return framedPage({ body, scripts: [SCRIPT], style: STYLE, images: origin });
  },
);

function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
