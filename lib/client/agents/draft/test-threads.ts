import { z } from "zod";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { callJson } from "@/lib/client/http/api";

const CreatedThread = z.object({ id: z.string() });

/** A thread whose runs each use the draft as of their start; with `fromRunId` it begins with that run's input. */
export async function createTestThread(agentId: string, fromRunId?: string): Promise<string> {
  const body = { agentId, draft: true, ...(fromRunId === undefined ? {} : { fromRunId }) };
  return (await callJson(CreatedThread, "/api/threads", { method: "POST", body })).id;
}

const PREFIX = "ringmaster-test-thread:";

/** The agent's test thread that is open in this browser. */
export function readTestThread(agentId: string): string | null {
  try {
    return localStorage.getItem(PREFIX + agentId);
  } catch {
    return null;
  }
}

export function keepTestThread(agentId: string, threadId: string | null): void {
  try {
    if (threadId === null) localStorage.removeItem(PREFIX + agentId);
    else localStorage.setItem(PREFIX + agentId, threadId);
  } catch {
    // Storage may be full or forbidden; the thread then stays open as long as the page.
  }
}

/** At most three suggested questions for an agent that has not been asked anything, from its description. */
export function startersFor(description: string): string[] {
  const purposes = description
    .split(/[.;]|,? and /u)
    .map((part) => part.trim())
    .filter((part) => part.length > 3)
    .slice(0, 1);
  const first = purposes.map((purpose) => `Show me what you do: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`);
  return [...first, "What can you help me with?", "Which tools do you have, and when do you use each?"].slice(0, 3);
}

/** The answers above and below came from different draft revisions. */
export interface RevisionChange {
  readonly before: number;
  readonly after: number;
}

/**
 * Revision changes by the id of the message that began a run, for runs that used another draft revision than the one
 * before.
 */
export function revisionChanges(messages: readonly ChatMessage[]): ReadonlyMap<string, RevisionChange> {
  const begins = new Map<string, string>();
  const changes = new Map<string, RevisionChange>();
  let before: number | null = null;
  for (const { id, role, metadata } of messages) {
    const runId = metadata?.runId ?? "";
    if (role === "user") begins.set(runId, id);
    const after = metadata?.draftRevision;
    if (role !== "assistant" || after === undefined) continue;
    if (before !== null && before !== after) changes.set(begins.get(runId) ?? id, { before, after });
    before = after;
  }
  return changes;
}
