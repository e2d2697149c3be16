"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { agentQuery, agentVersionsQuery, deleteAgent, restoreAgent } from "@/lib/client/agents/agent-queries";
import { errorMessage } from "@/lib/client/http/api";
import { AGENTS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { AgentDetail } from "@/lib/schema/agents/agent-api";
import { agentDraftQuery } from "./draft-queries";

/** Deletes an agent, published or not, and goes back to the list; the toast undoes it. */
export function useDiscardAgent(agent: Pick<AgentDetail, "id">, title: string) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const onError = (error: Error) => showToast({ title: errorMessage(error), tone: "error" });
  const undo = useMutation({
    mutationFn: () => restoreAgent(agent.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: AGENTS_KEY }),
    onError,
  });
  return useMutation({
    mutationFn: () => deleteAgent(agent.id),
    onSuccess: async () => {
      router.push("/admin/agents");
      // The page remains for a moment and must not request what is gone.
      queryClient.removeQueries({ queryKey: agentQuery(agent.id).queryKey });
      queryClient.removeQueries({ queryKey: agentDraftQuery(agent.id).queryKey });
      queryClient.removeQueries({ queryKey: agentVersionsQuery(agent.id).queryKey });
      showToast({ title, onUndo: () => undo.mutate() });
      await queryClient.invalidateQueries({ queryKey: AGENTS_KEY });
    },
    onError,
  });
}
