"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { SlashCommand } from "@/lib/client/chat/composer/use-commands";
import { withPrompt } from "@/lib/client/chat/composer/use-mcp-offers";
import type { SavedPrompt } from "@/lib/schema/prompts/saved-prompt";
import { promptsQuery } from "./prompt-queries";
import { fillPrompt, variablesOf } from "./prompt-variables";

/** The prompt library as composer commands; `asked` is the one whose variables are being asked for. */
export function useSavedPrompts(text: string, onText: (text: string) => void) {
  const { data } = useQuery({ ...promptsQuery, enabled: text.startsWith("/") });
  const [asked, setAsked] = useState<SavedPrompt | null>(null);
  const latest = useRef({ text, onText });
  useEffect(() => {
    latest.current = { text, onText };
  }, [text, onText]);
  const commands = useMemo<readonly SlashCommand[]>(() => {
    const write = (written: string) => latest.current.onText(withPrompt(latest.current.text, written));
    const choose = (prompt: SavedPrompt) =>
      variablesOf(prompt.text).length > 0 ? setAsked(prompt) : write(fillPrompt(prompt.text, {}));
    return (data ?? []).map((prompt) => ({
      name: `/${prompt.name}`,
      does: prompt.description || (prompt.shared ? "A shared prompt" : "A prompt of yours"),
      key: prompt.id,
      onChoose: () => choose(prompt),
    }));
  }, [data]);
  return {
    commands,
    asked,
    write: (values: Readonly<Record<string, string>>) => {
      if (asked === null) return;
      onText(withPrompt(text, fillPrompt(asked.text, values)));
      setAsked(null);
    },
    cancel: () => setAsked(null),
  };
}
