import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { BudgetWhatIf, CallWhatIf, type WhatIfBody } from "@/lib/schema/permissions/what-if";

const STALE_MS = 60_000;
const URL = "/api/permissions/what-if";

/** What other rules or a grant would have done. */
export function callWhatIfQuery(body: Omit<WhatIfBody, "budget">) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "what-if", body],
    queryFn: ({ signal }) => callJson(CallWhatIf, URL, { method: "POST", body, signal }),
    staleTime: STALE_MS,
    placeholderData: (before) => before,
  });
}

/** What a budget would have done. */
export function budgetWhatIfQuery(body: Required<Pick<WhatIfBody, "budget">>) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "what-if", body],
    queryFn: ({ signal }) => callJson(BudgetWhatIf, URL, { method: "POST", body, signal }),
    staleTime: STALE_MS,
    placeholderData: (before) => before,
  });
}
