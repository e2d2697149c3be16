"use client";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { RunChat as Chat, type RunChatOptions, type RunChatState } from "./run-chat";

export interface RunChat extends RunChatState, Pick<Chat, "setMessages" | "send" | "resume" | "clearError"> {}

/** The messages of a thread and the reply that comes in; leaving the page lets go of its stream. The first options stay, but for `onFinish`. */
export function useRunChat(options: RunChatOptions): RunChat {
  const latest = useRef(options.onFinish);
  useEffect(() => {
    latest.current = options.onFinish;
  });
  const [chat] = useState(() => new Chat({ ...options, onFinish: (reply) => latest.current(reply) }));
  useEffect(() => chat.close, [chat]);
  const state = useSyncExternalStore(chat.subscribe, chat.snapshot, chat.snapshot);
  return useMemo(() => {
    const { setMessages, send, resume, clearError } = chat;
    return { ...state, setMessages, send, resume, clearError };
  }, [chat, state]);
}
