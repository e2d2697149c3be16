"use client";
import { useQuery } from "@tanstack/react-query";
import { use } from "react";
import { BranchContext } from "@/components/chat/transcript/branches/branch-context";
import { Button } from "@/components/ui/controls/button";
import { Menu } from "@/components/ui/overlays/menu";
import { modelLabel } from "@/lib/client/agents/model-names";
import { answerersQuery } from "@/lib/client/chat/branches/answerers";
import type { ChosenStep } from "@/lib/client/chat/threads/thread-actions";

interface RetryModelsProps {
  /** The reply that failed. */
  messageId: string;
  onRetry: (chosen: ChosenStep) => Promise<unknown>;
}

/** Retry with another model, if the agent's choices or fallback models offer one. */
export function RetryModels({ messageId, onRetry }: RetryModelsProps) {
  const thread = use(BranchContext);
  const { data } = useQuery({
    ...answerersQuery({ threadId: thread?.id ?? "", messageId }),
    enabled: thread !== null,
  });
  if (data === undefined || data.models.length === 0) return null;
  return (
    <Menu
      label="Retry with another model"
      trigger={<Button variant="ghost">Retry with another model</Button>}
      actions={data.models.map(({ model }) => ({
        id: model,
        label: modelLabel(model),
        onAction: () => void onRetry({ model }),
      }))}
    />
  );
}
