"use client";
import { useCallback, useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { useTypedCommand } from "@/lib/client/chat/composer/use-commands";
import { usePicked } from "@/lib/client/chat/composer/use-picked";
import { contextAfter } from "@/lib/client/chat/context/context-moment";
import type { ThreadChat } from "@/lib/client/chat/use-thread-chat";
import { errorMessage } from "@/lib/client/http/api";
import { showToast } from "@/lib/client/ui/toast-store";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";

/** The context as the page shows it: for which model and moment, and whether its section was requested. */
export function useContextMoment(threadId: string, chat: ThreadChat, agent: AgentInfo | undefined) {
  const { go } = useShell();
  const picked = usePicked(threadId, agent);
  const { model } = picked;
  const [isAsked, setAsked] = useState(false);
  const doCommand = useTypedCommand(threadId, go);
  return {
    picked,
    isAsked,
    moment: {
      threadId,
      model,
      agentId: agent?.id ?? null,
      version: agent?.version ?? null,
      after: contextAfter(chat),
    },
    ask: () => setAsked(true),
    forget: useCallback(() => setAsked(false), []),
    compact: () =>
      doCommand("/compact").catch((error: unknown) => {
        showToast({ title: errorMessage(error), tone: "error" });
      }),
  };
}
