import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { type CreatePromptBody, SavedPrompt, SavedPromptList } from "@/lib/schema/prompts/saved-prompt";

/** The person's own prompts and the shared ones, by name. */
export const promptsQuery = queryOptions({
  queryKey: ["prompts"],
  queryFn: async ({ signal }) => (await callJson(SavedPromptList, "/api/prompts", { signal })).prompts,
  staleTime: 30_000,
  retry: false,
});

/** Without `id`, creates a new prompt. */
export function savePrompt(id: string | null, body: CreatePromptBody): Promise<SavedPrompt> {
  if (id === null) return callJson(SavedPrompt, "/api/prompts", { method: "POST", body });
  return callJson(SavedPrompt, `/api/prompts/${encodeURIComponent(id)}`, { method: "PATCH", body });
}

export async function deletePrompt(id: string): Promise<void> {
  await callApi(`/api/prompts/${encodeURIComponent(id)}`, { method: "DELETE" });
}
