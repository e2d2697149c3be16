import { type IncomingMessage, METHODS, type ServerResponse } from "node:http";
import { AppError } from "@/lib/schema/app-error";
import { ROUTE_ACCESS } from "./access";
import { createRequestId, type ErrorShape, errorReply } from "./reply";
import { isScrape, refusedHost } from "./request-origin";

interface RoutePattern {
  readonly matches: RegExp;
  readonly methods: readonly string[];
}

const PATTERNS = routePatterns();
/** The methods that a page answers; Next fails at TRACE. */
const PAGE_METHODS = METHODS.filter((method) => method !== "TRACE" && method !== "CONNECT");

/**
 * Answers requests that Next would answer with an empty page or an internal error: an address that can't be read, a
 * foreign host name (421, including pages), a method that the API route of this path does not have (405 with `allow`).
 * Returns false for every other request, after setting the request id on replies that come from no route: pages and
 * their files. `shapes` are error shapes by path prefix (`/v1/`); elsewhere it is `describeError`'s.
 */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  shapes: Readonly<Record<string, ErrorShape>>,
): boolean {
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const refusal = findRefusal(request, path);
  if (refusal === null) {
    if (!OF_ROUTES.test(path)) response.setHeader("x-request-id", createRequestId());
    return false;
  }
  const requestId = createRequestId();
  const [, shape] = Object.entries(shapes).find(([prefix]) => path.startsWith(prefix)) ?? [];
  const reply = errorReply(refusal.error, requestId, shape);
  // The body, if any, is not read, so the connection can't be reused.
  const headers = { ...Object.fromEntries(reply.headers), "x-request-id": requestId, connection: "close" };
  response.writeHead(reply.status, { ...headers, ...(refusal.allow ? { allow: refusal.allow } : {}) });
  void reply.text().then((text) => response.end(request.method === "HEAD" ? "" : text));
  return true;
}

/** Routes set the request id of their own replies. */
const OF_ROUTES = /^\/(?:api|agents|v1|mcp|health|metrics)(?:\/|$)/;

interface Refusal {
  readonly error: AppError;
  readonly allow?: string;
}

function findRefusal({ method = "GET", headers }: IncomingMessage, path: string): Refusal | null {
  if (!isReadable(path)) return { error: new AppError("invalid_input", "The address is not a valid UTF-8 path.") };
  const hostProblem = isScrape(path, headers.authorization) ? null : refusedHost(headers.host);
  if (hostProblem) return { error: hostProblem };
  const allowed = allowedMethods(path) ?? PAGE_METHODS;
  if (allowed.includes(method)) return null;
  const allow = allowed === PAGE_METHODS ? "GET, HEAD" : allowed.join(", ");
  return { error: new AppError("method_not_allowed", `${method} is not allowed here. Allowed: ${allow}.`), allow };
}

function isReadable(path: string): boolean {
  if (!path.startsWith("/")) return false;
  try {
    // The result is used: a bundler drops a call that it takes for pure.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** The methods of the route at a path, including HEAD and OPTIONS; null if there is no API route. */
export function allowedMethods(path: string): readonly string[] | null {
  return PATTERNS.find(({ matches }) => matches.test(path))?.methods ?? null;
}

/** Fixed names before parameters, as Next chooses. */
function routePatterns(): RoutePattern[] {
  const methods = new Map<string, string[]>();
  for (const route of Object.keys(ROUTE_ACCESS)) {
    const [method = "", url = ""] = route.split(" ");
    methods.set(url, [...(methods.get(url) ?? []), method]);
  }
  return [...methods]
    .toSorted(([left], [right]) => (sortKey(left) < sortKey(right) ? -1 : 1))
    .map(([url, own]) => ({
      matches: new RegExp(`^${url.replaceAll(".", "\\.").replaceAll(/\[\w+\]/g, "[^/]+")}/?$`),
      methods: [...own, ...(own.includes("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted(),
    }));
}

function sortKey(url: string): string {
  return url.replaceAll(/\[\w+\]/g, "\uffff");
}
