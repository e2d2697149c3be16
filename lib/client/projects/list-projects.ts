import { infiniteQueryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";

// Not among a page's first scripts.
const projectList = async () => (await loadWithRetry(() => import("@/lib/schema/projects/project"))).ProjectList;

/** The viewer's projects, by name. */
export function projectsQuery(archived: boolean) {
  return infiniteQueryOptions({
    queryKey: [...PROJECTS_KEY, "list", archived],
    queryFn: ({ pageParam, signal }) =>
      callJson(projectList, `/api/projects${queryString({ archived, limit: 200, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ projects }) => projects),
    staleTime: 10_000,
  });
}
