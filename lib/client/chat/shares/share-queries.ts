import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { THREADS_KEY } from "@/lib/client/http/query-keys";
import { CreatedShare, SharedPage, ShareState, type ShareThreadBody } from "@/lib/schema/threads/share";

export function shareQuery(threadId: string) {
  return queryOptions({
    queryKey: [...THREADS_KEY, "share", threadId],
    queryFn: ({ signal }) => callJson(ShareState, shareUrl(threadId), { signal }),
  });
}

export function shareThread(threadId: string, body: ShareThreadBody): Promise<CreatedShare> {
  return callJson(CreatedShare, shareUrl(threadId), { method: "POST", body });
}

export async function revokeShare(threadId: string): Promise<void> {
  await callApi(shareUrl(threadId), { method: "DELETE" });
}

/** The shared messages behind a link; the page already came with the first part. */
export function sharedPagesQuery(token: string, first: SharedPage) {
  return infiniteQueryOptions({
    queryKey: ["shared", token],
    queryFn: ({ pageParam, signal }) =>
      callJson(SharedPage, `/api/shares/${encodeURIComponent(token)}${queryString({ from: pageParam })}`, { signal }),
    initialPageParam: 0,
    initialData: { pages: [first], pageParams: [0] },
    getNextPageParam: (page) => page.nextFrom,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function sharedFileUrl(token: string, path: string): string {
  return `/api/shares/${encodeURIComponent(token)}/files${queryString({ path })}`;
}

function shareUrl(threadId: string): string {
  return `/api/threads/${encodeURIComponent(threadId)}/share`;
}
