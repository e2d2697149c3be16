import { infiniteQueryOptions } from "@tanstack/react-query";
import { callJson, queryString } from "@/lib/client/http/api";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { ProjectList } from "@/lib/schema/projects/project";

/** Every project of the installation, for administrators. */
export const allProjectsQuery = infiniteQueryOptions({
  queryKey: [...PROJECTS_KEY, "all"],
  queryFn: ({ pageParam, signal }) =>
    callJson(ProjectList, `/api/projects${queryString({ all: true, limit: 200, cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ projects }) => projects),
});
