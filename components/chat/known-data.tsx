"use client";
import { useQueryClient } from "@tanstack/react-query";
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
  /** Of before they were loaded. */
  feedRevision: string | null;
  choices: { agents: AgentInfo[]; providers: ProviderList | null } | null;
  lists: { threads: ThreadList | null; approvals: ApprovalList | null; projects: ProjectList | null };
  children: ReactNode;
}

/** Data that the server rendered the chat with counts as just loaded. */
export function KnownData({ feedRevision, choices, lists, children }: KnownDataProps) {
  const queryClient = useQueryClient();
  // Before the first child renders, on the server too, and only once.
  useState(() => {
    const updatedAt = loadedAt(feedRevision);
    const know = <Data,>(queryKey: readonly unknown[], data: Data | null) => {
      if (data === null || queryClient.getQueryData(queryKey) !== undefined) return;
      queryClient.setQueryData(queryKey, data, { updatedAt });
    };
    const { agents = null, providers = null } = choices ?? {};
    know(agentsQuery.queryKey, agents);
    know(providersQuery.queryKey, providers);
    know(threadListQuery({ q: "", archived: false }).queryKey, asPages(lists.threads));
    know(approvalsQuery.queryKey, lists.approvals);
    know(projectsQuery(false).queryKey, asPages(lists.projects));
  });
  return children;
}

function asPages<Page>(first: Page | null) {
  return first && { pages: [first], pageParams: [null] };
}
