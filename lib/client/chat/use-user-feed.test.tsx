import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { folderQuery } from "@/lib/client/files/file-queries";
import { withQueries } from "@/lib/testing/react/with-queries";
import { approvalsQuery } from "./decisions";
import { threadListQuery } from "./queries";
import { useUserFeed } from "./use-user-feed";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("has all read again that may have changed untold, once a lost connection is back", async () => {
  let connections = 0;
  vi.stubGlobal("fetch", async () => {
    connections += 1;
    return new Response(connections <= 2 ? "event: ready\ndata: {}\n\n" : new ReadableStream());
  });
  const queryClient = new QueryClient();
  const keys: QueryKey[] = [
    threadListQuery({ q: "", archived: false }).queryKey,
    approvalsQuery.queryKey,
    folderQuery("th_1", "").queryKey,
  ];
  for (const key of keys) queryClient.setQueryData(key, null);
  const { unmount } = renderHook(() => useUserFeed(), {
    wrapper: withQueries(queryClient),
  });
  await waitFor(() => expect(connections).toBe(3));
  expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true, true]);
  unmount();
});
