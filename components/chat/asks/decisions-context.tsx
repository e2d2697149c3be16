"use client";
import { createContext, useContext } from "react";
import type { Approval, Decision } from "@/lib/schema/interrupt";

export interface Decisions {
  /** Tells the server; rejects when it refused. Somebody else's earlier decision is not an error: the card changes. */
  readonly decide: (runId: string, decision: Decision) => Promise<void>;
  /** The call that the keys and the one brass button belong to (`callKey`). */
  readonly firstCall: string | null;
  /** What waits in the thread and below it; null until it is known. */
  readonly asked: readonly Approval[] | null;
}

const DecisionsContext = createContext<Decisions | null>(null);
export const DecisionsProvider = DecisionsContext.Provider;

/** Null where nothing can be decided, as in the transcript of a subagent. */
export function useDecisions(): Decisions | null {
  return useContext(DecisionsContext);
}

/** One call among those of several runs: ids of calls are unique within a run only. */
export function callKey(runId: string, toolCallId: string): string {
  return `${runId} ${toolCallId}`;
}
