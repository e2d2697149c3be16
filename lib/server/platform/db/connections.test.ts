import { expect, test } from "vitest";
import { MIN_CONNECTIONS, shareConnections, totalConnections } from "./connections";

test("by default, work gets 20 connections, jobs 4 and the notifier one", () => {
  expect(shareConnections(null, "all")).toEqual({ work: 20, jobs: 4, notifier: 1 });
  expect(shareConnections(null, "web")).toEqual({ work: 20, jobs: 0, notifier: 1 });
});

test("whatever the total, all of it is shared out and nobody is left without", () => {
  for (let total = MIN_CONNECTIONS; total <= 200; total += 1) {
    for (const role of ["all", "web", "worker"] as const) {
      const shares = shareConnections(total, role);
      expect(totalConnections(shares)).toBe(total);
      expect(shares.work).toBeGreaterThanOrEqual(1);
      expect(shares.jobs > 0).toBe(role !== "web");
      expect(shares.work).toBeGreaterThanOrEqual(shares.jobs);
    }
  }
});
