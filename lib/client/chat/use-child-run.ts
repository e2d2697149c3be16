"use client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callJson } from "@/lib/client/http/api";
import { hasEnded } from "@/lib/schema/runs/run";
import { RunTranscript } from "@/lib/schema/runs/run-transcript";
import { type ChatMessage, toChatMessages } from "./chat-message";
import { followReply } from "./run-stream";

/** A subagent has no feed of its own. */
const LOOK_AGAIN_MS = 2_000;

function runTranscriptQuery(runId: string) {
  return queryOptions({
    queryKey: ["runs", runId, "transcript"],
    queryFn: ({ signal }) => callJson(RunTranscript, `/api/runs/${encodeURIComponent(runId)}/transcript`, { signal }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.run.status) ? false : LOOK_AGAIN_MS),
  });
}

export interface ChildRun {
  /** The run's task and its answer so far; null until loaded. */
  readonly messages: readonly ChatMessage[] | null;
  /** The agent that gave it the task; null until loaded. */
  readonly askedBy: string | null;
  readonly isAtWork: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** A subagent's own transcript: what is stored and, while it works, its streamed reply. Mount it only to show it. */
export function useChildRun(runId: string): ChildRun {
  const { data, error, refetch } = useQuery(runTranscriptQuery(runId));
  const [live, setLive] = useState<ChatMessage | null>(null);
  const status = data?.run.status ?? null;
  const isAtWork = status !== null && !hasEnded(status);
  useEffect(() => {
    // A stream ends when its run waits: it is reopened when the run continues.
    if (!isAtWork || status === null) return;
    const stop = new AbortController();
    void show(runId, stop.signal, setLive);
    return () => stop.abort();
  }, [runId, status, isAtWork]);
  const stored = data === undefined ? null : toChatMessages(data.messages);
  const hasReply = stored?.some(({ role }) => role === "assistant") ?? false;
  return {
    messages: stored === null || hasReply || live === null ? stored : [...stored, live],
    askedBy: data?.askedBy ?? null,
    isAtWork,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
  };
}

/** If a stream breaks for good, what has been shown stays; the stored reply replaces it at the end. */
async function show(runId: string, signal: AbortSignal, onMessage: (message: ChatMessage) => void) {
  try {
    for await (const message of followReply(runId, { signal })) {
      if (signal.aborted) return;
      onMessage(message);
    }
  } catch {
    // The card stays unchanged.
  }
}
