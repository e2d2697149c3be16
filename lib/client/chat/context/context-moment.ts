import type { ThreadView } from "@/lib/client/chat/thread-state";

/** The thread's last ended run, and how often the thread was compacted: either one changes its context. */
export function contextAfter({ messages, currentRunId }: Pick<ThreadView, "messages" | "currentRunId">): string {
  const ended = messages.findLast(({ role, metadata }) => role === "assistant" && metadata?.runId !== currentRunId);
  const compactions = messages
    .flatMap(({ parts }) => parts)
    .reduce((count, part) => (part.type === "data-compaction" ? Math.max(count, part.data.count) : count), 0);
  return `${ended?.metadata?.runId ?? ""}:${compactions}`;
}
