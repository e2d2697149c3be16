import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { isFromHere } from "@/lib/server/http/client-address";
import { refusedHost } from "@/lib/server/http/request-origin";
import { env } from "@/lib/server/platform/env";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";
import type { Services } from "@/lib/server/platform/services";
import { collectMetrics } from "./collect-metrics";
import { EXPOSITION_TYPE, writeExposition } from "./exposition";

/**
 * The reply to GET `/metrics`, for this machine or with RINGMASTER_METRICS_TOKEN as the bearer token. Throws
 * `unauthorized` for a wrong token, `forbidden` for another machine if there is none.
 */
export async function answerScrape(services: Services, headers: Headers): Promise<Response> {
  const host = headers.get("host");
  const isLocal = isFromHere(headers) && (host === null || refusedHost(host) === null);
  if (!isLocal) requireToken(headers);
  return new Response(writeExposition(await collectMetrics(services)), {
    headers: { "content-type": EXPOSITION_TYPE, "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

function requireToken(headers: Headers): void {
  const { metricsToken } = env();
  if (metricsToken === null) throw new AppError("forbidden", NO_TOKEN);
  const [, given = ""] = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (!isSameSecret(given, metricsToken)) {
    throw new AppError("unauthorized", "Send RINGMASTER_METRICS_TOKEN as Authorization: Bearer.");
  }
}

const NO_TOKEN =
  "Metrics are read from this machine, or with a token: start the server with RINGMASTER_METRICS_TOKEN set, and send it as Authorization: Bearer.";
