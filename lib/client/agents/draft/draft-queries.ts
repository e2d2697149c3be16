import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import {
  AgentDraft,
  type PublishDraftBody,
  PublishedVersion,
  type SaveDraftBody,
} from "@/lib/schema/agents/agent-draft";

const draftPath = (agentId: string) => `/api/agents/${encodeURIComponent(agentId)}/draft`;

/** How soon a page sees what another person saves while nothing is typed on it. */
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

/** Afterwards the draft is what is live, with revision 0. */
export async function discardAgentDraft(agentId: string): Promise<AgentDraft> {
  await callApi(draftPath(agentId), { method: "DELETE" });
  return callJson(AgentDraft, draftPath(agentId));
}

export async function publishAgentDraft(agentId: string, body: PublishDraftBody): Promise<number> {
  const path = `/api/agents/${encodeURIComponent(agentId)}/publish`;
  return (await callJson(PublishedVersion, path, { method: "POST", body })).number;
}
