import fc from "fast-check";
import { expect, test } from "vitest";
import { chartEdges } from "./chart-edges";

const HOUR_MS = 3_600_000;
const at = (time: string) => Date.parse(time);
const edgesOf = (since: string, until: string, zone: string) =>
  chartEdges(at(since), at(until), zone).edges.map((edge) => new Date(edge).toISOString());

test("days begin at the midnight of the time zone, on the days when its clocks change too", () => {
  const berlin = edgesOf("2026-03-27T23:00:00Z", "2026-03-31T22:00:00Z", "Europe/Berlin");
  expect(berlin).toEqual(
    ["2026-03-27T23", "2026-03-28T23", "2026-03-29T22", "2026-03-30T22", "2026-03-31T22"].map(
      (hour) => `${hour}:00:00.000Z`,
    ),
  );
  expect(edgesOf("2026-10-24T22:00:00Z", "2026-10-28T23:00:00Z", "Europe/Berlin").slice(0, 3)).toEqual([
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
    "2026-10-26T23:00:00.000Z",
  ]);
  const auckland = edgesOf("2026-11-01T00:00:00Z", "2026-11-05T00:00:00Z", "Pacific/Auckland");
  expect(auckland[1]).toBe("2026-11-01T11:00:00.000Z");
});

test("hours begin with those of a zone that is half an hour from others", () => {
  const edges = edgesOf("2026-11-20T00:10:00Z", "2026-11-20T04:00:00Z", "Asia/Kolkata");
  expect(edges.slice(0, 3)).toEqual([
    "2026-11-20T00:10:00.000Z",
    "2026-11-20T00:30:00.000Z",
    "2026-11-20T01:30:00.000Z",
  ]);
});

test("longer periods are divided into longer units", () => {
  const unit = (hours: number) =>
    chartEdges(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z") + hours * HOUR_MS, "UTC").unit;
  expect([1, 24, 24 * 30, 24 * 200, 24 * 900, 24 * 5000].map(unit)).toEqual([
    ...["minutes", "hour", "day", "week", "month", "year"],
  ]);
  const weeks = edgesOf("2026-01-01T00:00:00Z", "2026-07-01T00:00:00Z", "UTC");
  expect(weeks[1]).toBe("2026-01-05T00:00:00.000Z");
  expect(edgesOf("2020-02-10T00:00:00Z", "2026-02-10T00:00:00Z", "UTC")[1]).toBe("2020-03-01T00:00:00.000Z");
});

test("whatever the period and the zone, the buckets have no gap, begin and end with it, and are not many", () => {
  const zones = ["UTC", "Europe/Berlin", "America/Havana", "Asia/Beirut", "Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const more = ["Australia/Lord_Howe", "Asia/Kathmandu", "America/St_Johns"];
  const start = fc.integer({ min: at("2020-01-01T00:00:00Z"), max: at("2030-01-01T00:00:00Z") });
  const length = fc.oneof(fc.integer({ min: 1, max: 100 * HOUR_MS }), fc.integer({ min: 1, max: 30_000 * HOUR_MS }));
  fc.assert(
    fc.property(start, length, fc.constantFrom(...zones, ...more), (since, ms, zone) => {
      const { edges } = chartEdges(since, since + ms, zone);
      expect([edges[0], edges.at(-1)]).toEqual([since, since + ms]);
      expect(edges.length).toBeLessThan(130);
      for (const [index, edge] of edges.entries()) if (index > 0) expect(edge).toBeGreaterThan(edges[index - 1] ?? 0);
    }),
    { numRuns: 300 },
  );
});

test("a period that ends before it begins has no buckets", () => {
  expect(chartEdges(2, 1, "UTC").edges).toEqual([]);
});
