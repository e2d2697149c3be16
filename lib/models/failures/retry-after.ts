import type { APICallError } from "@ai-sdk/provider";

/**
 * How long a provider asks clients to wait, in ms: its Retry-After header (seconds or a date) or Google's RetryInfo.
 */
export function readRetryAfter(
  error: Pick<APICallError, "responseHeaders" | "responseBody">,
  now: () => number = Date.now,
): number | undefined {
  const headers = error.responseHeaders ?? {};
  const milliseconds = positive(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const header = headers["retry-after"];
  const seconds = positive(header);
  if (seconds !== undefined) return seconds * 1_000;
  const date = Date.parse(header ?? "");
  if (!Number.isNaN(date)) return Math.max(0, date - now());
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(error.responseBody ?? "")?.[1];
  const delaySeconds = positive(delay);
  return delaySeconds === undefined ? undefined : delaySeconds * 1_000;
}

function positive(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
