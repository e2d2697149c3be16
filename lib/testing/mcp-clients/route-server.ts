import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Route } from "@/lib/server/http/route";

export interface RouteServer {
  readonly url: string;
  /** How many requests it has got so far. */
  requests(): number;
  close(): Promise<void>;
}

/**
 * A route's POST on a port of its own, for real clients: streaming, the signal of a client that leaves, and 405 for
 * every other method.
 */
export async function serveRoute(route: Route, path: string): Promise<RouteServer> {
  let requests = 0;
  const http = createServer(async (incoming, outgoing) => {
    requests += 1;
    if (incoming.method !== "POST") return outgoing.writeHead(405, { allow: "POST" }).end();
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const left = new AbortController();
    outgoing.on("close", () => left.abort());
    const headers = new Headers(incoming.headers as Record<string, string>);
    const init = { method: "POST", headers, body: Buffer.concat(chunks), signal: left.signal };
    const reply = await route(new Request(`http://127.0.0.1${path}`, init));
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    try {
      if (reply.body) for await (const chunk of reply.body) outgoing.write(chunk);
    } catch {
      // The stream of a client that left ends with an error.
    }
    outgoing.end();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requests: () => requests,
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
}
