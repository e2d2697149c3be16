"use client";
import { useEffect, useRef } from "react";
import { randomId } from "./random-id";

/**
 * Sends a field's message under an idempotency key. If it is resent because no response arrived, it has the same key,
 * and the server accepts it once; another `content`, which is all that is sent, is another message, and so is anything
 * after an accepted one.
 */
export function useAttempt(content: string) {
  const key = useRef<string | null>(null);
  const known = useRef(content);
  useEffect(() => {
    if (content !== known.current) key.current = null;
    known.current = content;
  }, [content]);
  return async (send: (key: string) => Promise<void>): Promise<void> => {
    key.current ??= randomId();
    await send(key.current);
    key.current = null;
  };
}
