"use client";
import { useState, useSyncExternalStore } from "react";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import type { Effort } from "@/lib/schema/agents/choices";

/** A person's picks for the next messages instead of the agent's own. */
export interface Picked {
  readonly model: string | null;
  readonly effort: Effort | null;
}

export interface PickedState extends Picked {
  readonly set: (change: Partial<Picked>) => void;
}

const NOTHING: Picked = { model: null, effort: null };
const PREFIX = "ringmaster-picked:";
const never = () => () => undefined;

/**
 * Kept in this browser, per thread; without a thread, as long as the page is open. A choice the agent no longer offers
 * counts as not picked.
 */
export function usePicked(threadId: string | null, agent: AgentInfo | undefined): PickedState {
  const [changed, setChanged] = useState<string | null>(null);
  const kept = useSyncExternalStore(
    never,
    () => (threadId === null ? null : readKept(threadId)),
    () => null,
  );
  const { models, efforts } = agent?.choices ?? { models: [], efforts: [] };
  const { model, effort } = parse(changed ?? kept);
  const picked = {
    model: models.find((offered) => offered === model) ?? null,
    effort: efforts.find((offered) => offered === effort) ?? null,
  };
  return {
    ...picked,
    set: (change) => {
      const next = { ...picked, ...change };
      setChanged(JSON.stringify(next));
      if (threadId !== null) keepPicked(threadId, next);
    },
  };
}

export function keepPicked(threadId: string, picked: Picked): void {
  try {
    if (picked.model === null && picked.effort === null) localStorage.removeItem(PREFIX + threadId);
    else localStorage.setItem(PREFIX + threadId, JSON.stringify({ model: picked.model, effort: picked.effort }));
  } catch {
    // Storage may be full or forbidden; the choice then lives as long as the page.
  }
}

function readKept(threadId: string): string | null {
  try {
    return localStorage.getItem(PREFIX + threadId);
  } catch {
    return null;
  }
}

function parse(kept: string | null): { readonly model?: unknown; readonly effort?: unknown } {
  try {
    return { ...NOTHING, ...JSON.parse(kept ?? "{}") };
  } catch {
    return NOTHING;
  }
}

/** In the form of a message body. */
export function chosenOf({ model, effort }: Picked): { model?: string; effort?: Effort } {
  return { ...(model === null ? {} : { model }), ...(effort === null ? {} : { effort }) };
}
