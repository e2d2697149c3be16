import { queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { ProblemList } from "@/lib/schema/traces/problem";

const EVERY_MS = 60_000;

/** The problems of the last 28 days, in every state; they change with the runs. */
export const problemsQuery = queryOptions({
  queryKey: [...TRACES_KEY, "problems"],
  queryFn: ({ signal }) => callJson(ProblemList, "/api/problems", { signal }),
  refetchInterval: EVERY_MS,
});
