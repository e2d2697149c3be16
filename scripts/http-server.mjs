import { createServer } from "node:http";

/**
 * Longer than proxies keep an idle connection (60 s): who closes first must not be the server, or the request that is on
 * its way at that moment is lost. Node's own 5 s pass while SQLite waits for another program's lock.
 */
const KEEP_ALIVE_MS = 75_000;

/** The HTTP server of the process; it does not listen yet. */
export function createHttpServer(handle) {
  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 5_000 }, handle);
}
