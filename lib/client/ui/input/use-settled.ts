"use client";
import { useEffect, useState } from "react";

/** The debounce: how long typing must pause. */
const REST_MS = 250;

/** The value as it was when typing last paused. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
