import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import {
  AgentDraft,
  type PublishDraftBody,
  PublishedVersion,
  type SaveDraftBody,
} from "@/lib/schema/agents/agent-draft";
import { VersionComparison } from "@/lib/schema/agents/agent-version";

const draftPath = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/draft`;

/** Polling interval for other people's saves while nobody types on the page. */
const LOOK_AGAIN_MS = 10_000;

export function agentDraftQuery(agentId: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "draft", agentId],
    queryFn: ({ signal }) => callJson(AgentDraft, draftPath(agentId), { signal }),
    refetchInterval: LOOK_AGAIN_MS,
    staleTime: 0,
  });
}

export function saveAgentDraft(agentId: string, body: SaveDraftBody): Promise<AgentDraft> {
  return callJson(AgentDraft, draftPath(agentId), { method: "PUT", body });
}

/** An earlier revision of the draft; it never changes, and is kept for 30 days. */
export function agentRevisionQuery(agentId: string, revision: number) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "revision", agentId, revision],
    queryFn: ({ signal }) => callJson(AgentDraft, `${draftPath(agentId)}${queryString({ revision })}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** The differences between two versions; either may be the draft, at the given revision. */
export function agentComparisonQuery(agentId: string, sides: { from: string; to: string }, revision: number) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "compare", agentId, sides.from, sides.to, revision],
    queryFn: ({ signal }) =>
      callJson(VersionComparison, `/api/agents/${encodeURIComponent(agentId)}/compare${queryString(sides)}`, {
        signal,
      }),
    retry: false,
  });
}

/** Makes an older version the draft; `revision` is that of the draft being replaced. */
export function restoreAgentVersion(agentId: string, number: number, revision: number): Promise<AgentDraft> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/versions/${number}/restore`;
  return callJson(AgentDraft, path, { method: "POST", body: { revision } });
}

/** Gives a version a name, or moves the name to it. */
export async function nameAgentVersion(agentId: string, name: string, version: number): Promise<void> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/aliases/${encodeURIComponent(name)}`;
  await callApi(path, { method: "PUT", body: { version } });
}

/** Removes a version's name. */
export async function removeVersionName(agentId: string, name: string): Promise<void> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/aliases/${encodeURIComponent(name)}`;
  await callApi(path, { method: "DELETE" });
}

/** Afterwards the draft equals the live version, with revision 0. */
export async function discardAgentDraft(agentId: string): Promise<AgentDraft> {
  await callApi(draftPath(agentId), { method: "DELETE" });
  return callJson(AgentDraft, draftPath(agentId));
}

export async function publishAgentDraft(agentId: string, body: PublishDraftBody): Promise<number> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/publish`;
  return (await callJson(PublishedVersion, path, { method: "POST", body })).number;
}
