"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { agentsQuery, providersQuery } from "@/lib/client/chat/thread-queries";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { ProviderList } from "@/lib/schema/provider";

export interface KnownChoicesProps {
  /** Null if the server could not load them in time. */
  choices: { agents: AgentInfo[]; providers: ProviderList | null } | null;
  children: ReactNode;
}

/** Choices that the server rendered the page with count as just loaded. */
export function KnownChoices({ choices, children }: KnownChoicesProps) {
  const queryClient = useQueryClient();
  // Before the first child renders, on the server too, and only once.
  useState(() => {
    if (choices === null) return;
    queryClient.setQueryData(agentsQuery.queryKey, (known) => known ?? choices.agents);
    const { providers } = choices;
    if (providers !== null) queryClient.setQueryData(providersQuery.queryKey, (known) => known ?? providers);
  });
  return children;
}
