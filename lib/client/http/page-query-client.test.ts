import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { PageQueryClient } from "./page-query-client";

const KEY = ["providers", "lab"];

/** A query whose requests the test answers, each with a promise of its own. */
function watched() {
  const client = new PageQueryClient();
  const requests: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => requests.push(resolve));
  const stop = new QueryObserver(client, { queryKey: KEY, queryFn }).subscribe(() => undefined);
  return { client, requests, stop };
}

test("a query invalidated during its first load is loaded again afterwards, only once", async () => {
  const { client, requests, stop } = watched();
  const refreshed = [1, 2, 3].map(() => client.invalidateQueries({ queryKey: ["providers"] }));
  expect(requests).toHaveLength(1);
  requests[0]?.("before the test");
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.("after the test");
  await Promise.all(refreshed);
  expect(client.getQueryData(KEY)).toBe("after the test");
  expect(requests).toHaveLength(2);
  stop();
});

test("a loaded query is refetched at once, and a query with another key is not", async () => {
  const { client, requests, stop } = watched();
  requests[0]?.("old");
  await expect.poll(() => client.getQueryData(KEY)).toBe("old");
  await client.invalidateQueries({ queryKey: ["agents"] });
  expect(requests).toHaveLength(1);
  const refreshed = client.invalidateQueries({ queryKey: KEY });
  requests[1]?.("new");
  await refreshed;
  expect(client.getQueryData(KEY)).toBe("new");
  stop();
});
