import type { Hook } from "@/lib/agent/hook";
import { addCallFacts } from "./call-facts";
import type { HistoryReport } from "./history/prepare-history";

/**
 * Puts on the trace what the history pipeline changed: a span `pruning` once per run, and the counts on every model
 * call. Null when nothing was changed.
 */
export function historyHook(report: HistoryReport): Hook | null {
  const { leftOut, trimmed, cleared, dropped, added, tokensBefore, tokensAfter } = report;
  if (leftOut + trimmed + cleared + dropped + added === 0) return null;
  return {
    name: "history",
    async beforeAgent(context) {
      addCallFacts(context, { history_trimmed: trimmed, history_cleared: cleared, history_left_out: leftOut });
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
        },
      });
      span?.end("completed");
    },
  };
}

function noteOf({ leftOut, trimmed, cleared, dropped, added }: HistoryReport): string {
  const parts = [
    [leftOut, "messages of earlier turns left out"],
    [trimmed, "tool results trimmed"],
    [cleared, "tool results cleared"],
    [dropped, "messages without a counterpart dropped"],
    [added, "missing tool results marked"],
  ] as const;
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(", ");
}
