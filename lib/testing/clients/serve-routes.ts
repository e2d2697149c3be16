import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Route } from "@/lib/server/http/route";

/** The handlers of a `route.ts`. */
type RouteModule = Readonly<Record<string, Route>>;

export interface ServedRoutes {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves route handlers on a free loopback port, for real clients. The keys are paths as in `app`
 * (`/v1/models/[model]`). As with Next, a client that disconnects aborts the request's signal, and one that reads
 * slowly holds the reply back.
 */
export async function serveRoutes(routes: Readonly<Record<string, RouteModule>>): Promise<ServedRoutes> {
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing, routes).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The values of the segments in brackets; null if the path is another route's. */
function paramsOf(url: string, path: string): Record<string, string> | null {
  const wanted = url.split("/");
  const sent = path.split("/");
  if (wanted.length !== sent.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = decodeURIComponent(sent[index] ?? "");
    if (segment.startsWith("[")) params[segment.slice(1, -1)] = value;
    else if (segment !== value) return null;
  }
  return params;
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  routes: Readonly<Record<string, RouteModule>>,
): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const { pathname } = new URL(url, "http://127.0.0.1");
  const found = Object.entries(routes)
    .map(([path, module]) => ({ params: paramsOf(path, pathname), route: module[method] }))
    .find(({ params }) => params !== null);
  if (!found?.route) return void outgoing.writeHead(404).end();
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const body: Buffer[] = [];
  for await (const chunk of incoming) body.push(chunk);
  const request = new Request(`http://127.0.0.1${url}`, {
    method,
    headers: new Headers(incoming.headers as Record<string, string>),
    body: body.length > 0 ? Buffer.concat(body) : null,
    signal: left.signal,
  });
  const reply = await found.route(request, { params: Promise.resolve(found.params ?? {}) });
  outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
  for await (const chunk of reply.body ?? []) {
    if (!outgoing.write(chunk)) await once(outgoing, "drain", { signal: left.signal });
  }
  outgoing.end();
}
