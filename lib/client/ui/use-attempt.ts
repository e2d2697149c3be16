"use client";
import { useEffect, useRef } from "react";
import { randomId } from "./random-id";

/**
 * Sends the message of a field under a key of its own. Sent again, because the answer never came, it has the same key,
 * and the server takes it once; another text is another message, and so is what comes after one that was taken.
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
