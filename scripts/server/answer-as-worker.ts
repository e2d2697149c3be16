import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestId, errorReply } from "@/lib/server/http/reply";
import type { Services } from "@/lib/server/platform/services";
import { getHealth } from "@/lib/server/status/get-health";
import { answerScrape } from "@/lib/server/status/metrics/answer-scrape";

const NOT_HERE =
  "This process executes runs and serves only /health and /metrics. Ask a process whose RINGMASTER_ROLE is web or all.";

/** A worker's replies: `/health` and `/metrics` like every process, and 404 for everything else. */
export async function answerAsWorker(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://worker");
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (isRead && pathname === "/metrics") return replyWith(response, await scrape(services, request));
  if (!isRead || pathname !== "/health") {
    return reply(response, 404, { error: { code: "not_found", message: NOT_HERE } });
  }
  const health = await getHealth(services.database);
  reply(response, health.status === "ok" ? 200 : 503, health);
}

async function scrape(services: Services, { headers }: IncomingMessage): Promise<Response> {
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    [value ?? []].flat().join(", "),
  ]);
  return answerScrape(services, new Headers(sent)).catch((error: unknown) => errorReply(error, createRequestId()));
}

async function replyWith(response: ServerResponse, answer: Response): Promise<void> {
  const text = await answer.text();
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(response.req.method === "HEAD" ? "" : text);
}

function reply(response: ServerResponse, status: number, body: object): void {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  response.writeHead(status, headers).end(response.req.method === "HEAD" ? "" : JSON.stringify(body));
}
