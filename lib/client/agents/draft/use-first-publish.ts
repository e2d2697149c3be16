"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { agentQuery } from "@/lib/client/agents/agent-queries";
import { ApiError, errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { agentDraftQuery, publishAgentDraft } from "./draft-queries";
import type { AgentEditor } from "./use-agent-editor";

/** Publishes the first version of an agent, with everything typed so far. */
export function useFirstPublish({ agent, saver }: AgentEditor) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      saver.replaceBy(async () => {
        if (!(await saver.flush())) throw new ApiError(NOT_SAVED, 0, "not_saved", null);
        const { revision } = saver.snapshot().stored;
        const number = await publishAgentDraft(agent.id, { revision, baseVersion: 0 });
        const draft = await queryClient.fetchQuery(agentDraftQuery(agent.id)).catch(() => null);
        return { number, draft };
      }),
    onSuccess: async ({ number }) => {
      showToast({ title: `v${number} is live`, description: "Everybody who may use it can choose it now." });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    onError: (error) => {
      showToast({ title: errorMessage(error), tone: "error" });
      void queryClient.invalidateQueries({ queryKey: agentQuery(agent.id).queryKey });
    },
  });
}

const NOT_SAVED = "The draft could not be saved, so there is nothing to publish yet. Try again.";
