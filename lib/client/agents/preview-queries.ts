import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { FlowPreview } from "@/lib/schema/agents/flow-preview";
import { type PreviewPromptBody, PromptPreview } from "@/lib/schema/agents/prompt";

const pathOf = (agentId: string, what: string) => `/api/agents/${encodeURIComponent(agentId)}/preview-${what}`;

/** The first prompt that the model would get, from a version or the draft. */
export function promptPreviewQuery(agentId: string, body: PreviewPromptBody) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "preview-prompt", agentId, body],
    queryFn: ({ signal }) => callJson(PromptPreview, pathOf(agentId, "prompt"), { method: "POST", body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** A message's path through a version or the draft. */
export function flowPreviewQuery(agentId: string, version: string) {
  return queryOptions({
    queryKey: [...AGENTS_KEY, "preview-flow", agentId, version],
    queryFn: ({ signal }) =>
      callJson(FlowPreview, pathOf(agentId, "flow"), { method: "POST", body: { version }, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}
