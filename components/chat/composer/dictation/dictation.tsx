"use client";
import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { appendSpoken, startDictation } from "@/lib/client/ui/speech/dictation";
import { showToast } from "@/lib/client/ui/toast-store";
import { useRemembered } from "@/lib/client/ui/use-remembered";

const Language = z.string();

interface ListeningProps {
  text: string;
  onText: (text: string) => void;
  onEnd: () => void;
}

/** While the microphone is on: interim text, and the language. Final text goes into the message. */
export function Dictation({ text, onText, onEnd }: ListeningProps) {
  const languages = [...new Set(navigator.languages)];
  const kept = useRemembered("dictation language", Language);
  const language = kept.value ?? languages[0] ?? "en";
  const [interim, setInterim] = useState("");
  const latest = useRef({ text, onText, onEnd });
  useEffect(() => {
    latest.current = { text, onText, onEnd };
  }, [text, onText, onEnd]);
  useEffect(() => {
    let isCurrent = true;
    const stop = startDictation(language, {
      onText: (spoken) => {
        const written = appendSpoken(latest.current.text, spoken);
        latest.current = { ...latest.current, text: written };
        latest.current.onText(written);
      },
      onInterim: setInterim,
      onEnd: (problem) => {
        if (!isCurrent) return;
        if (problem !== null) showToast({ title: problem, tone: "error" });
        latest.current.onEnd();
      },
    });
    return () => {
      isCurrent = false;
      stop();
    };
  }, [language]);
  return (
    <span className="flex min-w-0 items-center gap-2 px-1 text-xs text-muted">
      <span role="status">Listening</span>
      <span className="min-w-0 truncate italic" aria-hidden>
        {interim}
      </span>
      {languages.length > 1 ? (
        <select
          aria-label="Language of the dictation"
          value={language}
          onChange={(event) => kept.set(event.target.value)}
          className="h-6 rounded-sm border border-border bg-surface px-1 touch-row"
        >
          {languages.map((one) => (
            <option key={one} value={one}>
              {new Intl.DisplayNames(["en"], { type: "language" }).of(one) ?? one}
            </option>
          ))}
        </select>
      ) : null}
    </span>
  );
}
