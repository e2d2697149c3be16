"use client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { agentsQuery, providersQuery, threadListQuery } from "@/lib/client/chat/thread-queries";
import { loadedAt } from "@/lib/client/http/loaded-data";
import { projectsQuery } from "@/lib/client/projects/list-projects";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ProjectList } from "@/lib/schema/projects/project";
import type { ProviderList } from "@/lib/schema/provider";
import type { ApprovalList } from "@/lib/schema/runs/interrupt";
import type { ThreadList } from "@/lib/schema/threads/thread";

/** What the server could not load in time is null. */
export interface KnownDataProps {
  choices: { agents: AgentInfo[]; providers: ProviderList | null } | null;
  lists: { threads: ThreadList | null; approvals: ApprovalList | null; projects: ProjectList | null };
  children: ReactNode;
}

/** Data that the server rendered the chat with counts as just loaded. */
export function KnownData({ choices, lists, children }: KnownDataProps) {
  const queryClient = useQueryClient();
  // Before the first child renders, on the server too, and only once.
  useState(() => {
    const { agents = null, providers = null } = choices ?? {};
    know(queryClient, agentsQuery.queryKey, agents);
    know(queryClient, providersQuery.queryKey, providers);
    know(queryClient, threadListQuery({ q: "", archived: false }).queryKey, asPages(lists.threads));
    know(queryClient, approvalsQuery.queryKey, lists.approvals);
    know(queryClient, projectsQuery(false).queryKey, asPages(lists.projects));
  });
  return children;
}

function know<Data>(queryClient: QueryClient, queryKey: readonly unknown[], data: Data | null): void {
  if (data === null || queryClient.getQueryData(queryKey) !== undefined) return;
  queryClient.setQueryData(queryKey, data, { updatedAt: loadedAt() });
}

function asPages<Page>(first: Page | null) {
  return first && { pages: [first], pageParams: [null] };
}
