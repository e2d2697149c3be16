"use client";
import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import type { TraceSummary } from "@/lib/schema/traces/trace";

/** The widths that have room for a run beside the list. */
const WIDE = "(min-width: 1024px)";

/** The run that is open beside the list; `traces` are the list's rows. */
export function useTracePeek(
  { url, setUrl }: Pick<TraceFilterState, "url" | "setUrl">,
  traces: readonly TraceSummary[],
) {
  const isWide = useMediaQuery(WIDE);
  const index = isWide ? traces.findIndex(({ runId }) => runId === url.peek) : -1;
  const trace = traces[index] ?? null;
  const show = (runId: string | null) => {
    if (isWide) void setUrl({ peek: runId });
  };
  const close = () => show(null);
  useShortcuts(trace === null ? {} : { Escape: close });
  return {
    trace,
    runId: trace?.runId ?? null,
    show,
    close,
    /** Steps to the run above or below, and takes the focus along. */
    move: (by: 1 | -1) => {
      const next = traces[index + by];
      if (next === undefined) return;
      show(next.runId);
      document.querySelector<HTMLElement>(`[data-trace="${CSS.escape(next.runId)}"]`)?.focus();
    },
  };
}
