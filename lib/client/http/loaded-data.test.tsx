import { QueryClient, useQuery } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { loadedData, noteFeedRevision } from "./loaded-data";

afterEach(cleanup);

function show(queryClient: QueryClient, queryKey: string, feedRevision: string | null) {
  const query = { queryKey: [queryKey], queryFn: async () => "newer", staleTime: 5000 };
  return renderHook(() => useQuery({ ...query, ...loadedData("loaded", feedRevision) }).data, {
    wrapper: withQueries(queryClient),
  });
}

it("fetches again what may have been announced before its query existed, and nothing else", async () => {
  const queryClient = new QueryClient();
  const beforeReady = show(queryClient, "before ready", "p.1");
  noteFeedRevision("p.1");
  const asReady = show(queryClient, "as ready", "p.1");
  expect(queryClient.isFetching()).toBe(0);
  noteFeedRevision("p.2");
  const after = show(queryClient, "after a change", "p.2");
  expect(queryClient.isFetching()).toBe(0);
  const older = show(queryClient, "older than the change", "p.1");
  await waitFor(() => expect(older.result.current).toBe("newer"));
  noteFeedRevision(null);
  const unknown = show(queryClient, "not known", null);
  await waitFor(() => expect(unknown.result.current).toBe("newer"));
  expect([beforeReady, asReady, after].map(({ result }) => result.current)).toEqual(["loaded", "loaded", "loaded"]);
});
