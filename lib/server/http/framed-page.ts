import "server-only";
import { createHash } from "node:crypto";

export interface FramedPage {
  readonly body: string;
  /** The only scripts that may run in the page, in order. */
  readonly scripts: readonly string[];
  readonly areModules?: boolean;
  readonly style?: string;
  /** Where images may come from, as in `img-src`; by default nowhere. */
  readonly images?: string;
  readonly cacheControl?: string;
}

/**
 * A page for a frame with untrusted content: its own origin, no access to Ringmaster's cookies, and a policy that lets
 * it load nothing but what is named.
 */
export function framedPage(page: FramedPage): Response {
  const { body, scripts, areModules = false, style = "", images = "'none'", cacheControl = "no-store" } = page;
  const hashes = scripts.map((script) => `'${hashOf(script)}'`).join(" ");
  const policy = [`script-src ${hashes}`, "style-src 'unsafe-inline'", `img-src ${images}`];
  const tags = scripts.map((script) => `<script${areModules ? ' type="module"' : ""}>${script}</script>`).join("");
  const html = `<!doctype html><meta charset="utf-8"><title>Frame</title><style>${style}</style>${body}${tags}`;
  return framedReply(html, policy, cacheControl, images.includes("://") ? {} : NO_CONNECTIONS);
}

/**
 * Also blocks connections that no policy stops: a browser that supports this does not even look up the host of a
 * refused navigation.
 */
const NO_CONNECTIONS = { "connection-allowlist": "()", "x-dns-prefetch-control": "off" };

/**
 * A page of untrusted content: its scripts, styles and data run, and it may load nothing at all. `html` begins with the
 * code that guards it.
 */
export function framedDocument(html: string): Response {
  const data = ["img-src data: blob:", "font-src data:", "media-src data: blob:"];
  return framedReply(
    html,
    ["script-src 'unsafe-inline' data:", "style-src 'unsafe-inline'", ...data],
    "no-store",
    NO_CONNECTIONS,
  );
}

function framedReply(
  html: string,
  policy: readonly string[],
  cacheControl: string,
  connections: Readonly<Record<string, string>>,
): Response {
  const rest = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'self'", "sandbox allow-scripts"];
  return new Response(html, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": ["default-src 'none'", ...policy, ...rest].join("; "),
      "referrer-policy": "no-referrer",
      "cache-control": cacheControl,
      ...connections,
    },
  });
}

const hashes = new Map<string, string>();

/** Cached: a script may be megabytes long. */
function hashOf(script: string): string {
  const known = hashes.get(script) ?? `sha256-${createHash("sha256").update(script).digest("base64")}`;
  hashes.set(script, known);
  return known;
}
