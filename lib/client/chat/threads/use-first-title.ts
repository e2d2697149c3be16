"use client";
import { useEffect, useRef } from "react";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { serverNowMs } from "@/lib/client/http/server-clock";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { askForTitle } from "./thread-actions";

/** An older thread has had its chance. */
const FRESH_MS = 3_600_000;

/** Asks the model once for a title when the first turn of a new thread has completed. */
export function useFirstTitle(
  { id, createdAt }: Pick<ThreadDetail, "id" | "createdAt">,
  messages: readonly ChatMessage[],
  mayAsk: boolean,
): void {
  const asked = useRef(false);
  const [question, answer] = messages;
  const isFirstTurn = messages.length === 2 && question?.role === "user" && answer?.metadata?.status === "completed";
  useEffect(() => {
    if (!mayAsk || !isFirstTurn || asked.current || serverNowMs() - Date.parse(createdAt) > FRESH_MS) return;
    asked.current = true;
    // Without it, the first line of the question is the title.
    askForTitle(id).catch(() => undefined);
  }, [mayAsk, isFirstTurn, id, createdAt]);
}
