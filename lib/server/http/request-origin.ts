import { AppError } from "@/lib/schema/app-error";
import { isLoopback } from "@/lib/schema/loopback";
import { env } from "@/lib/server/platform/env";

/**
 * Throws `misdirected` for a Host that is neither loopback nor the public URL's, so that a DNS name rebound to this
 * server is not served.
 */
export function checkHost(request: Request): void {
  if (isScrape(new URL(request.url).pathname, request.headers.get("authorization") ?? undefined)) return;
  const refusal = refusedHost(request.headers.get("host") ?? new URL(request.url).host);
  if (refusal) throw refusal;
}

/**
 * Whether the request brings a token for `/metrics`, which is read from each process under its own address. A browser
 * that was misled has no token to send.
 */
export function isScrape(path: string, authorization: string | undefined): boolean {
  return path === "/metrics" && authorization !== undefined;
}

/** Why a request with this Host header is not served; null if it is. */
export function refusedHost(host: string | undefined): AppError | null {
  const name = host === undefined ? null : hostName(host);
  if (name !== null && (isLoopback(name) || name === publicUrl().hostname)) return null;
  const hint = name === null ? "" : ` If this is its address, start it with RINGMASTER_PUBLIC_URL=http://${host}.`;
  return new AppError("misdirected", `This server does not answer to that host name.${hint}`);
}

/**
 * Throws `forbidden` for a state-changing request from another site. Browsers send Origin with every such request and
 * Sec-Fetch-Site with most; a client that sends neither and no cookie has nothing to abuse.
 */
export function checkSameOrigin(request: Request): void {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  if (site !== null && site !== "same-origin" && site !== "none") throw crossSite();
  if (origin !== null && !isOwnOrigin(origin, request)) throw crossSite();
  if (site === null && origin === null && request.headers.has("cookie")) throw crossSite();
}

/**
 * Whether the browser asks on behalf of an iframe, and not to show the reply as a page of its own at Ringmaster's
 * address. Throws `forbidden` for a client that does not say what it asks for: browsers say so at https and at loopback
 * addresses.
 */
export function isForIframe({ headers }: Request): boolean {
  const destination = headers.get("sec-fetch-dest");
  if (destination !== null) return destination === "iframe";
  throw new AppError("forbidden", "Only a browser gets this, for a frame, and over https (on this machine also http).");
}

/** Whether the method must not change anything. */
export function isSafeMethod(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isOwnOrigin(origin: string, request: Request): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.origin === publicUrl().origin) return true;
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return url.protocol === "http:" && url.host === host && isLoopback(url.hostname);
}

function publicUrl(): URL {
  return new URL(env().publicUrl);
}

function hostName(host: string): string | null {
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : null;
}

function crossSite(): AppError {
  return new AppError("forbidden", "This request came from another site. Use the app's own address, or an API key.");
}
