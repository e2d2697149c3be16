import type { Hook } from "@/lib/agent/hooks/hook";
import { addCallAttributes } from "@/lib/agent/tracing/call-attributes";
import type { HistoryReport } from "@/lib/context/history/prepare-history";

/**
 * Traces what the history pipeline changed: a `pruning` span once per run, and the counts on every model call. Null if
 * nothing was changed.
 */
export function historyHook(report: HistoryReport): Hook | null {
  const { leftOut, trimmed, cleared, dropped, added, tokensBefore, tokensAfter } = report;
  if (leftOut + trimmed + cleared + dropped + added === 0) return null;
  return {
    name: "history",
    async beforeAgent(context) {
      addCallAttributes(context, { history_trimmed: trimmed, history_cleared: cleared, history_left_out: leftOut });
      if (context.segment > 0) return;
      const span = context.trace?.startSpan({
        name: "pruning",
        type: "hook",
        attributes: {
          note: noteOf(report),
          messages_left_out: leftOut,
          results_trimmed: trimmed,
          results_cleared: cleared,
          messages_dropped: dropped,
          results_added: added,
          tokens_before: tokensBefore,
          tokens_after: tokensAfter,
          estimated: true,
        },
      });
      span?.end("completed");
    },
  };
}

/** Traces on every model call that it read a summary instead of older messages, and which compaction wrote it. */
export function compactedHook(count: number): Hook {
  return {
    name: "compacted-history",
    async beforeAgent(context) {
      addCallAttributes(context, { compaction_count: count });
    },
  };
}

/** Traces on every model call that the thread's history was excluded (S3's NoHistory). */
export function noHistoryHook(): Hook {
  return {
    name: "no-history",
    async beforeAgent(context) {
      addCallAttributes(context, { no_history: true });
    },
  };
}

function noteOf({ leftOut, trimmed, cleared, dropped, added }: HistoryReport): string {
  const parts = [
    counted(leftOut, "message of earlier turns", "messages of earlier turns", "left out"),
    counted(trimmed, "tool result", "tool results", "trimmed"),
    counted(cleared, "tool result", "tool results", "cleared"),
    counted(dropped, "message without a counterpart", "messages without a counterpart", "dropped"),
    counted(added, "missing tool result", "missing tool results", "marked"),
  ];
  return parts.filter(Boolean).join(", ");
}

function counted(count: number, one: string, many: string, what: string): string {
  return count === 0 ? "" : `${count} ${count === 1 ? one : many} ${what}`;
}
