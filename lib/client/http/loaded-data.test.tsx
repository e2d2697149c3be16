import { QueryClient, useQuery } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { loadedData, noteFeedReady } from "./loaded-data";

afterEach(cleanup);

function show(queryClient: QueryClient, queryKey: string) {
  const query = { queryKey: [queryKey], queryFn: async () => "newer", staleTime: 5000 };
  return renderHook(() => useQuery({ ...query, ...loadedData("loaded") }).data, { wrapper: withQueries(queryClient) });
}

it("fetches again what was announced before its query existed, but only once the feed is ready", async () => {
  const queryClient = new QueryClient();
  const early = show(queryClient, "early");
  expect(early.result.current).toBe("loaded");
  expect(queryClient.isFetching()).toBe(0);
  noteFeedReady();
  const late = show(queryClient, "late");
  expect(late.result.current).toBe("loaded");
  await waitFor(() => expect(late.result.current).toBe("newer"));
  expect(early.result.current).toBe("loaded");
});
