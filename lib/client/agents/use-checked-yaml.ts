"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import type { ConfigProblem } from "@/lib/schema/agents/agent-api";
import { yamlCheckQuery } from "./agent-queries";

export interface YamlDraft {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Problems of the text as of the last pause. */
  readonly problems: readonly ConfigProblem[];
  readonly state: "checking" | "valid" | "invalid" | "unchecked";
  readonly checkError: string | null;
}

const PAUSE_MS = 350;

/** A text that the server checks whenever its author pauses. */
export function useCheckedYaml(text: string, setText: (text: string) => void): YamlDraft {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const check = useQuery(yamlCheckQuery(paused));
  const isCurrent = paused === text && check.data !== undefined && !check.isPlaceholderData;
  return {
    text,
    setText,
    problems: check.data?.problems ?? [],
    state: stateOf(isCurrent, check.data?.valid, check.isError),
    checkError: check.error ? errorMessage(check.error) : null,
  };
}

function stateOf(isCurrent: boolean, isValid: boolean | undefined, isError: boolean): YamlDraft["state"] {
  if (isError) return "unchecked";
  if (!isCurrent) return "checking";
  return isValid ? "valid" : "invalid";
}
