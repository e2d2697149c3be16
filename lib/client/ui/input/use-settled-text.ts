"use client";
import { useEffect, useRef, useState } from "react";

/** The debounce: how long typing must pause. */
const REST_MS = 250;

export interface SettledText {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
}

/**
 * A field whose text is passed on once typing pauses or the field is left, and never before somebody has typed. If
 * something else changes `value`, the text follows.
 */
export function useSettledText(value: string, onSettled: (text: string) => void): SettledText {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [passedOn, setPassedOn] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  if (value !== known) {
    setKnown(value);
    if (value !== passedOn) {
      setText(value);
      setPassedOn(value);
    }
  }

  const settle = (settled: string) => {
    clearTimeout(timer.current);
    if (settled === passedOn) return;
    setPassedOn(settled);
    onSettled(settled);
  };
  return {
    value: text,
    onChange: (typed) => {
      setText(typed);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => settle(typed), REST_MS);
    },
    onBlur: () => settle(text),
  };
}
