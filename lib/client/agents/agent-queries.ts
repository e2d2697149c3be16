import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { callApi, callJson } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import {
  AgentDetail,
  AgentDetailList,
  AgentVersionDetail,
  AgentVersionList,
  AvailableTools,
  ValidateAgentReply,
} from "@/lib/schema/agents/agent-api";
import { type PermissionTestBody, PermissionTestReply } from "@/lib/schema/agents/permission";

const agentPath = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}`;

const bothLists = queryOptions({
  queryKey: [...AGENTS_KEY, "admin"],
  queryFn: ({ signal }) => callJson(AgentDetailList, "/api/agents", { signal }),
});

export const agentListQuery = queryOptions({ ...bothLists, select: ({ agents }: AgentDetailList) => agents });

/** Agents of which no version is published yet. */
export const draftAgentsQuery = queryOptions({
  ...bothLists,
  select: ({ drafts = [] }: AgentDetailList): NonNullable<AgentDetailList["drafts"]> => drafts,
});

export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "one", agentId],
    queryFn: ({ signal }) => callJson(AgentDetail, agentPath(agentId), { signal }),
  });
}

export function agentVersionsQuery(agentId: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "versions", agentId],
    queryFn: async ({ signal }) =>
      (await callJson(AgentVersionList, `${agentPath(agentId)}/versions`, { signal })).versions,
  });
}

export function agentVersionQuery(agentId: string, number: number) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "version", agentId, number],
    queryFn: ({ signal }) => callJson(AgentVersionDetail, `${agentPath(agentId)}/versions/${number}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Problems in a config, by line; fetched at every pause in typing. */
export function yamlCheckQuery(yaml: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "check", yaml],
    queryFn: ({ signal }) =>
      callJson(ValidateAgentReply, "/api/agents/validate", { method: "POST", body: { yaml }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: (previous) => previous,
  });
}

/** The JSON Schema of a config, for completion. */
export const agentSchemaQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "schema"],
  queryFn: ({ signal }) => callJson(z.record(z.string(), z.unknown()), "/api/agent-schema", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Every tool that an agent of this installation may have. */
export const availableToolsQuery = queryOptions({
  queryKey: [...AGENTS_KEY, "tools"],
  queryFn: async ({ signal }) => (await callJson(AvailableTools, "/agents/tools/available", { signal })).tools,
  staleTime: 60_000,
});

export interface SaveAgent {
  readonly agentId: string;
  readonly yaml: string;
  readonly note: string;
}

/** Creates an agent and publishes its first version. */
export async function createAgent({ agentId, yaml, note }: SaveAgent): Promise<void> {
  const given = note.trim() === "" ? {} : { note: note.trim() };
  await callApi("/api/agents", { method: "POST", body: { id: agentId, yaml, ...given } });
}

/** Creates an agent that only administrators see; without `id` it is named after its name. Returns the id. */
export async function createDraftAgent(body: { readonly yaml: string; readonly id?: string }): Promise<string> {
  return (await callJson(AgentDetail, "/api/agents", { method: "POST", body: { ...body, draft: true } })).id;
}

/** A draft's permission verdict on a hypothetical call. */
export function testPermission(agentId: string, call: PermissionTestBody): Promise<PermissionTestReply> {
  return callJson(PermissionTestReply, `${agentPath(agentId)}/permissions/test`, { method: "POST", body: call });
}

/** The copy is a draft that only administrators see. */
export async function duplicateAgent({ agentId, newId }: { agentId: string; newId: string }): Promise<void> {
  await callApi(`${agentPath(agentId)}/duplicate`, { method: "POST", body: { id: newId, draft: true } });
}

/** Undoes a deletion. */
export async function restoreAgent(agentId: string): Promise<void> {
  await callApi(`${agentPath(agentId)}/restore`, { method: "POST" });
}

export async function deleteAgent(agentId: string): Promise<void> {
  await callApi(agentPath(agentId), { method: "DELETE" });
}
