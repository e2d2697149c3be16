import "server-only";
import { createHash } from "node:crypto";

export interface FramedPage {
  readonly body: string;
  /** The only script that may run in it. */
  readonly script: string;
  readonly style?: string;
  /** Where images may come from, as in `img-src`; default nowhere. */
  readonly images?: string;
  readonly cacheControl?: string;
}

/**
 * A page for a frame of ours that holds what is not trusted: of an origin of its own, without our cookies, and with a
 * policy that lets it load nothing but what is named.
 */
export function framedPage({ body, script, style = "", images = "'none'", cacheControl = "no-store" }: FramedPage) {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    "style-src 'unsafe-inline'",
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ");
  const html = `<!doctype html><meta charset="utf-8"><title>Frame</title><style>${style}</style>${body}<script>${script}</script>`;
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "cache-control": cacheControl,
    },
  });
}

function hashOf(script: string): string {
  return `sha256-${createHash("sha256").update(script).digest("base64")}`;
}
