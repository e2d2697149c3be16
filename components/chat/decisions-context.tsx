"use client";
import { createContext, useContext } from "react";
import type { Decision } from "@/lib/schema/interrupt";

export interface Decisions {
  /** Tells the server; rejects when it refused. Somebody else's earlier decision is not an error: the card changes. */
  readonly decide: (runId: string, decision: Decision) => Promise<void>;
  /** The call that the keys and the one brass button belong to. */
  readonly firstCallId: string | null;
}

const DecisionsContext = createContext<Decisions | null>(null);
export const DecisionsProvider = DecisionsContext.Provider;

/** Null where nothing can be decided, as in the transcript of a subagent. */
export function useDecisions(): Decisions | null {
  return useContext(DecisionsContext);
}
