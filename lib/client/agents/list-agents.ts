import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callJson } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { type AgentActivity, AgentActivityList, AgentTemplateList } from "@/lib/schema/agents/agent-activity";
import { AgentDetailList, ImportAgentsReply } from "@/lib/schema/agents/agent-api";
import { fold } from "@/lib/schema/fold";
import { TraceList } from "@/lib/schema/traces/trace";

const REFRESH_MS = 15_000;

/** Deleted agents that can be restored. */
export const archivedAgentsQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "archived"],
  queryFn: async ({ signal }) => (await callJson(AgentDetailList, "/api/agents?archived=true", { signal })).agents,
});

/** Each agent's usage in the last 14 days. */
export const agentActivityQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "activity"],
  queryFn: async ({ signal }) => (await callJson(AgentActivityList, "/api/agent-activity", { signal })).agents,
  refetchInterval: REFRESH_MS,
});

/** Runs that are active or waiting for a person; at most the newest 200. */
export const openRunsQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "open-runs"],
  queryFn: async ({ signal }) =>
    (await callJson(TraceList, "/api/traces?status=running,waiting&limit=200", { signal })).traces,
  refetchInterval: REFRESH_MS,
});

export const agentTemplatesQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "templates"],
  queryFn: async ({ signal }) => (await callJson(AgentTemplateList, "/api/agent-templates", { signal })).templates,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Imports a text, or with `dryRun` reports what that would do: all of its agents or none, new ones as drafts. */
export function importAgents(text: string, file: string, dryRun: boolean): Promise<ImportAgentsReply> {
  const body = { yaml: text, file, draft: true, ...(dryRun ? { dryRun } : {}) };
  return callJson(ImportAgentsReply, "/api/agents/import", { method: "POST", body });
}

export type ListedAgent = z.infer<typeof AgentDetailList>["agents"][number];

/** The list's figures for an agent's runs in the last `days` days. */
export interface AgentSums {
  readonly runs: number;
  readonly failedShare: number | null;
  readonly costUsd: number;
  readonly unknownCosts: number;
}

export function sumActivity(activity: Pick<AgentActivity, "days">, days: number): AgentSums {
  const chosen = activity.days.slice(-days);
  const sum = (key: "runs" | "failed" | "costUsd" | "unknownCosts") =>
    chosen.reduce((total, day) => total + day[key], 0);
  const runs = sum("runs");
  return {
    runs,
    failedShare: runs === 0 ? null : sum("failed") / runs,
    costUsd: sum("costUsd"),
    unknownCosts: sum("unknownCosts"),
  };
}

/** "$41.22 + unknown"; empty if no run cost anything. */
export function costText({ costUsd, unknownCosts, runs }: AgentSums): string {
  if (runs === 0) return "";
  const known = `$${costUsd.toFixed(2)}`;
  if (unknownCosts === 0) return known;
  return costUsd === 0 ? "unknown" : `${known} + unknown`;
}

/** Whether every word of a search occurs in an agent's name, id, description, prompt, model or tools. */
export function matchesSearch(agent: ListedAgent, search: string): boolean {
  const text = fold(
    [agent.id, agent.name, agent.description, agent.system_prompt ?? "", agent.model, ...agent.tools].join("\n"),
  );
  return fold(search)
    .split(/\s+/u)
    .every((word) => text.includes(word));
}
