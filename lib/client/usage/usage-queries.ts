import { queryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { type UsageDimension, UsageReport } from "@/lib/schema/usage/usage-report";

/** The scope of a usage query: times are ISO 8601, `to` is exclusive. */
export interface UsageScope {
  readonly from: string;
  readonly to: string;
  readonly by: readonly UsageDimension[];
  readonly timezone: string;
  readonly replays?: "exclude";
}

const REFRESH_MS = 60_000;

export function usageUrl({ by, ...scope }: UsageScope, format?: "csv"): string {
  return `/api/usage${queryString({ ...scope, by: by.join(","), format })}`;
}

export function usageQuery(scope: UsageScope) {
  return queryOptions({
    queryKey: ["usage", scope],
    queryFn: ({ signal }) => callJson(UsageReport, usageUrl(scope), { signal }),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
}
