"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useShell } from "@/components/shell/shell-context";
import { threadQuery } from "@/lib/client/chat/queries";
import { runCommandWithoutThread, runTypedCommand } from "@/lib/client/chat/typed-command";
import { THREADS_KEY } from "@/lib/client/ui/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";

/** Does what was typed instead of a message (`/stop`, `/stopall`, `/compact`, `/new`) and says what came of it. */
export function useTypedCommand(threadId: string | null): (content: string) => Promise<void> {
  const { go } = useShell();
  const queryClient = useQueryClient();
  return async (content) => {
    if (content.trim().toLowerCase() === "/new") return go("/");
    const title = threadId ? await runTypedCommand(threadId, content) : await runCommandWithoutThread(content);
    showToast({ title });
    await queryClient.invalidateQueries({ queryKey: THREADS_KEY });
    if (threadId) await queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey });
  };
}
