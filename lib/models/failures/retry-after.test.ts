import { describe, expect, it } from "vitest";
import { readRetryAfter } from "./retry-after";

const now = () => Date.parse("2026-01-01T00:00:00Z");
const read = (headers: Record<string, string>, responseBody?: string) =>
  readRetryAfter({ responseHeaders: headers, responseBody }, now);

describe("readRetryAfter", () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT" }, 120_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "30" }, 250],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{}, undefined],
    [{ "ratelimit-reset": "30" }, 30_000],
    [{ "x-ratelimit-reset": String(now() / 1_000 + 60) }, 60_000],
    [{ "x-ratelimit-reset": String(now() + 5_000) }, 5_000],
    [{ "x-ratelimit-reset": "4000000" }, undefined],
    [{ "x-ratelimit-reset-requests": "1s" }, undefined],
  ])("%j is %s ms", (headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it("reads what a gateway quotes of another server's headers", () => {
    const metadata = { headers: { "X-RateLimit-Limit": "20", "X-RateLimit-Reset": String(now() + 12_000) } };
    expect(
      read({}, JSON.stringify({ error: { message: "Rate limit exceeded: free-models-per-min.", metadata } })),
    ).toBe(12_000);
  });

  it("reads Google's RetryInfo", () => {
    expect(
      read({}, '{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay": "17.5s"}]}}'),
    ).toBe(17_500);
  });
});
