"use client";
import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { useKeptNumber } from "@/lib/client/ui/use-kept-state";
import { TRACE_COLUMNS, type TraceColumnId } from "./list-columns";

const NONE_CHOSEN = -1;

/** A bit per column. */
function numberOf(ids: readonly TraceColumnId[]): number {
  return ids.reduce((sum, id) => sum + 2 ** TRACE_COLUMNS.indexOf(id), 0);
}

function columnsOf(number: number): readonly TraceColumnId[] {
  return TRACE_COLUMNS.filter((_, index) => Math.floor(number / 2 ** index) % 2 === 1);
}

export interface ChosenColumns {
  /** Null: nobody has chosen, so the list shows what fits. */
  readonly chosen: ReadonlySet<TraceColumnId> | null;
  /** Null returns to what fits. */
  readonly choose: (ids: readonly TraceColumnId[] | null) => void;
}

/** The columns in the URL, else those that were last chosen in this browser. */
export function useTraceColumns({ url, setUrl }: Pick<TraceFilterState, "url" | "setUrl">): ChosenColumns {
  const [kept, setKept] = useKeptNumber("traceColumns", NONE_CHOSEN);
  const ids = url.columns ?? (kept === NONE_CHOSEN ? null : columnsOf(kept));
  return {
    chosen: ids === null ? null : new Set(ids),
    choose: (next) => {
      setKept(next === null ? NONE_CHOSEN : numberOf(next));
      void setUrl({ columns: next === null ? null : TRACE_COLUMNS.filter((id) => next.includes(id)) });
    },
  };
}
