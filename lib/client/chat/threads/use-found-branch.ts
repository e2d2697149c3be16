"use client";
import { useEffect, useRef } from "react";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import type { EarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { callApi } from "@/lib/client/http/api";

/** A search also finds messages on hidden branches: the thread then shows the branch with that message. */
export function useFoundBranch(
  threadId: string,
  openAt: string | null,
  messages: readonly ChatMessage[],
  { state }: Pick<EarlierMessages, "state">,
): void {
  const asked = useRef<string | null>(null);
  const isMissing =
    openAt !== null && (state === "none" || state === "all") && !messages.some(({ id }) => id === openAt);
  useEffect(() => {
    if (!isMissing || asked.current === openAt) return;
    asked.current = openAt;
    const options = { method: "PUT", body: { messageId: openAt } } as const;
    // A message that is gone is on no branch: the thread opens at its end.
    callApi(`/api/threads/${encodeURIComponent(threadId)}/branch`, options).catch(() => undefined);
  }, [isMissing, openAt, threadId]);
}
