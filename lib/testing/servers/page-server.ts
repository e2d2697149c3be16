import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface PageServer {
  /** `127.0.0.1:port` */
  readonly host: string;
  /** Pages by path; any other path is a 404. */
  readonly pages: Map<string, string>;
  /** The results of `/search`, in SearXNG's format. */
  hits: readonly { readonly title: string; readonly url: string; readonly content: string }[];
  close(): Promise<void>;
}

/** A test's own web: pages, and a search over them. */
export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, string>();
  const server = createServer((request, reply) => {
    const path = request.url ?? "/";
    if (path.startsWith("/search?")) {
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results: web.hits }));
      return;
    }
    const page = pages.get(path);
    reply.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(page ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const web: PageServer = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    hits: [],
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return web;
}
