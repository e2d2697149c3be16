"use client";
import { type InfiniteData, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import type { ProjectList } from "@/lib/schema/projects/project";

/** Whether the list of projects that the page has loaded names any; it loads nothing itself. */
export function useHasProjects(): boolean {
  const queryClient = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => queryClient.getQueryCache().subscribe(listener),
    [queryClient],
  );
  return useSyncExternalStore(
    subscribe,
    () => hasProjects(queryClient),
    () => false,
  );
}

function hasProjects(queryClient: QueryClient): boolean {
  const known = queryClient.getQueryData<InfiniteData<ProjectList>>([...PROJECTS_KEY, "list", false]);
  return known?.pages.some(({ projects }) => projects.length > 0) ?? false;
}
