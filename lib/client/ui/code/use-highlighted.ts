"use client";
import { startTransition, useLayoutEffect, useRef, useState } from "react";
import { CodeColouring } from "./code-colouring";
import type { HighlightedLine } from "./code-token";
import type { Language } from "./languages";

const NONE: readonly HighlightedLine[] = [];

/**
 * The coloured lines of a code, as far as available: none before its grammar has loaded, and slightly outdated ones
 * while a text grows. A line is valid only for the one in its place with the same text.
 */
export function useHighlighted(code: string, language: Language | null): readonly HighlightedLine[] {
  const [found, setFound] = useState({ language, lines: NONE });
  const colouring = useRef<CodeColouring>(null);
  useLayoutEffect(() => {
    if (language === null) return;
    const publish = (lines: readonly HighlightedLine[]) => startTransition(() => setFound({ language, lines }));
    const own = new CodeColouring(language, publish);
    colouring.current = own;
    return () => own.stop();
  }, [language]);
  // Before the paint: what is coloured synchronously is never seen uncoloured.
  useLayoutEffect(() => {
    const lines = language === null ? null : colouring.current?.update(code);
    if (lines) setFound({ language, lines });
  }, [code, language]);
  return found.language === language ? found.lines : NONE;
}
