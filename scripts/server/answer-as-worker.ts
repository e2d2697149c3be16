import type { IncomingMessage, ServerResponse } from "node:http";
import { getHealth } from "@/lib/server/status/get-health";

const NOT_HERE =
  "This process executes runs and serves only /health. Ask a process whose RINGMASTER_ROLE is web or all.";

/** A worker's replies: `/health` like every process, and 404 for everything else. */
export async function answerAsWorker(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://worker");
  if (pathname !== "/health" || (request.method !== "GET" && request.method !== "HEAD")) {
    return reply(response, 404, { error: { code: "not_found", message: NOT_HERE } });
  }
  const health = await getHealth();
  reply(response, health.status === "ok" ? 200 : 503, health);
}

function reply(response: ServerResponse, status: number, body: object): void {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, headers).end(response.req.method === "HEAD" ? "" : JSON.stringify(body));
}
