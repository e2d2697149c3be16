"use client";
import { useEffect, useRef } from "react";
import { randomId } from "./random-id";

/**
 * Sends a field's message under an idempotency key. If it is resent because no response arrived, it has the same key,
 * and the server accepts it once; another text is another message, and so is anything after an accepted one.
 */
export function useAttempt(text: string) {
  const key = useRef<string | null>(null);
  const known = useRef(text);
  useEffect(() => {
    if (text !== known.current) key.current = null;
    known.current = text;
  }, [text]);
  return async (send: (key: string) => Promise<void>): Promise<void> => {
    key.current ??= randomId();
    await send(key.current);
    key.current = null;
  };
}
