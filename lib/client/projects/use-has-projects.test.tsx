import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { PROJECTS_KEY } from "@/lib/client/http/query-keys";
import { useHasProjects } from "./use-has-projects";

test("a page knows of projects once its list of them has been loaded", () => {
  const queryClient = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useHasProjects, { wrapper });
  expect(result.current).toBe(false);
  const load = (projects: readonly unknown[]) =>
    act(() =>
      queryClient.setQueryData([...PROJECTS_KEY, "list", false], { pages: [{ projects }], pageParams: [null] }),
    );
  load([{ id: "prj_1" }]);
  expect(result.current).toBe(true);
  load([]);
  expect(result.current).toBe(false);
});
