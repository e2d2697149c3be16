import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { newerRunsQuery, type TraceListFilters, traceListQuery } from "./trace-queries";

const LOADED_AT = "2026-11-29T12:00:00.000Z";
const EARLIER = "2026-11-29T11:00:00.000Z";
const LATER = "2026-11-29T13:00:00.000Z";

const NO_FILTERS: TraceListFilters = {
  ...{ status: "", agentId: "", tool: "", toolFailed: "", error: "", version: "", model: "", origin: "", person: "" },
  ...{ decision: "", score: "", notes: "", q: "", since: "", until: "", problemId: "" },
  ...{ mine: false, hasError: false, minCostUsd: null, minWorkedMs: null, sort: "started" },
};

afterEach(() => vi.unstubAllGlobals());

/** The query strings that the list as loaded then and the count of newer runs send. */
async function sent(filters: TraceListFilters, loadedAtMs: number | null) {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(new URL(address, "http://127.0.0.1").searchParams);
    return Response.json({ traces: [], nextCursor: null });
  });
  const client = new QueryClient();
  await client.fetchInfiniteQuery(traceListQuery(filters, loadedAtMs));
  await client.fetchQuery(newerRunsQuery(filters, loadedAtMs ?? 0));
  const [list, newer] = asked;
  return { until: list?.get("until"), newerSince: newer?.get("since"), newerUntil: newer?.get("until") };
}

test("A list that is not live ends where the count of newer runs begins", async () => {
  const { until, newerSince } = await sent(NO_FILTERS, Date.parse(LOADED_AT));
  expect(until).toBe(LOADED_AT);
  expect(newerSince).toBe(LOADED_AT);
});

test("A list that is not live keeps an earlier end of its filters, and shortens a later one", async () => {
  expect((await sent({ ...NO_FILTERS, until: EARLIER }, Date.parse(LOADED_AT))).until).toBe(EARLIER);
  const { until, newerUntil } = await sent({ ...NO_FILTERS, until: LATER }, Date.parse(LOADED_AT));
  expect(until).toBe(LOADED_AT);
  expect(newerUntil).toBe(LATER);
});

test("A live list has no end but that of its filters", async () => {
  expect((await sent(NO_FILTERS, null)).until).toBeNull();
  expect((await sent({ ...NO_FILTERS, until: LATER }, null)).until).toBe(LATER);
});
