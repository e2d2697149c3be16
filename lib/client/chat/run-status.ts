import type { RunStatus } from "@/lib/schema/runs/run";
import type { Todo } from "@/lib/schema/runs/todo";
import { addCost, addUsage, readUsage, showUsage, subtractUsage, totalTokens } from "@/lib/schema/runs/usage";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import type { ChatMessage } from "./chat-message";

export interface ThreadStatus {
  readonly todos: readonly Todo[];
  readonly usage: ThreadDetail["usage"];
  readonly head: HeadStatus | null;
  /** Run of the newest reply; null before the first. */
  readonly runId: string | null;
}

/** The page's state of a thread besides its messages: what is stored, updated by the newest reply. */
export function threadStatus(
  messages: readonly ChatMessage[],
  stored: Pick<ThreadDetail, "todos" | "usage" | "openRuns" | "status">,
  isRunning: boolean,
): ThreadStatus {
  return {
    todos: currentTodos(messages, stored.todos),
    usage: currentUsage(messages, stored),
    head: headStatus(messages, stored.status, isRunning),
    runId: messages.findLast(({ role }) => role === "assistant")?.metadata?.runId ?? null,
  };
}

/** The plan from the open reply, otherwise the stored one. */
function currentTodos(messages: readonly ChatMessage[], stored: readonly Todo[]): readonly Todo[] {
  const last = messages.at(-1);
  const part = last?.role === "assistant" ? last.parts.findLast(({ type }) => type === "data-todos") : undefined;
  return part?.type === "data-todos" ? part.data.todos : stored;
}

/**
 * The thread's usage: the stored sum, in which the open run's share is as of the last time it waited; that share is
 * replaced by what the open reply has used so far.
 */
function currentUsage(
  messages: readonly ChatMessage[],
  { usage: stored, openRuns }: Pick<ThreadDetail, "usage" | "openRuns">,
): ThreadDetail["usage"] {
  const last = messages.at(-1);
  const metadata = last?.role === "assistant" ? last.metadata : undefined;
  const open = openRuns.find(({ id }) => id === metadata?.runId);
  if (metadata?.usage === undefined || open === undefined) return stored;
  const sum = addUsage(subtractUsage(readUsage(stored), readUsage(open.usage)), readUsage(metadata.usage));
  return {
    ...showUsage(sum),
    totalTokens: totalTokens(sum),
    costUsd: addCost(stored.costUsd, metadata.costUsd ?? null),
  };
}

export interface HeadStatus {
  readonly status: RunStatus;
  readonly startedAtMs: number | null;
}

/** The status in a thread's header: the current run's, or how the last one ended. Null before the first run. */
function headStatus(messages: readonly ChatMessage[], stored: RunStatus | null, isRunning: boolean): HeadStatus | null {
  const last = messages.at(-1);
  const metadata = last?.role === "assistant" ? last.metadata : undefined;
  if (isRunning) {
    const isOpen = metadata?.endedAtMs === undefined;
    return { status: "running", startedAtMs: (isOpen ? metadata?.startedAtMs : null) ?? null };
  }
  const status = metadata?.status ?? stored;
  return status === null ? null : { status, startedAtMs: null };
}
