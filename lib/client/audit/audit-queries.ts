import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { AuditCheck, type AuditFilters, AuditList } from "@/lib/schema/audit";

const PER_PAGE = 50;
const KEY = ["audit"] as const;

/** How soon a search asks again while not all is prepared for it. */
const PREPARING_MS = 5000;

export function auditQuery(filters: AuditFilters) {
  return infiniteQueryOptions({
    queryKey: [...KEY, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      callJson(AuditList, `/api/audit${queryString({ ...filters, limit: PER_PAGE, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    placeholderData: (previous) => previous,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ unfolded = 0 }) => unfolded > 0) ? PREPARING_MS : false,
  });
}

export function auditExportUrl(filters: AuditFilters): string {
  return `/api/audit/export${queryString({ ...filters })}`;
}

/** Reads the whole log on the server: requested once, and again by a button. */
export const auditCheckQuery = queryOptions({
  queryKey: [...KEY, "check"],
  queryFn: async ({ signal }) => ({
    ...(await callJson(AuditCheck, "/api/audit/verify", { signal })),
    atMs: Date.now(),
  }),
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
});
