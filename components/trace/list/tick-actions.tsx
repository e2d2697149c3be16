"use client";
import { useMemo, useState } from "react";
import { DifferenceList } from "@/components/trace/difference/difference-list";
import { Button } from "@/components/ui/controls/button";
import { Kbd } from "@/components/ui/kbd";
import { Dialog } from "@/components/ui/overlays/dialog";
import { baseOf } from "@/lib/client/trace/difference/difference-queries";
import { listHref, type TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { formatCount } from "@/lib/client/ui/text/format";

/** As many as can be asked about at once. */
const MOST_TICKS = 1_000;

export interface Ticks {
  readonly ids: readonly string[];
  readonly set: ReadonlySet<string>;
  readonly toggle: (runId: string) => void;
  readonly clear: () => void;
}

/** The runs that are ticked, in the order in which they were. */
export function useTicks(): Ticks {
  const [ids, setIds] = useState<readonly string[]>([]);
  return {
    ids,
    set: useMemo(() => new Set(ids), [ids]),
    toggle: (runId) =>
      setIds(ids.includes(runId) ? ids.filter((id) => id !== runId) : [...ids, runId].slice(-MOST_TICKS)),
    clear: () => setIds([]),
  };
}

export interface TickActionsProps {
  ticks: Ticks;
  state: TraceFilterState;
  onCompare: () => void;
}

/** What can be done with the ticked runs: two are compared, several asked what is different about them. */
export function TickActions({ ticks: { ids, clear }, state, onCompare }: TickActionsProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <span className="ml-auto flex items-center gap-2">
      <span role="status">{ids.length === 1 ? "1 run ticked" : `${formatCount(ids.length)} runs ticked`}</span>
      <Button variant="ghost" onPress={clear}>
        Clear
      </Button>
      <Button variant="ghost" onPress={() => setAsking(true)}>
        What is different?
      </Button>
      <Button isDisabled={ids.length !== 2} onPress={onCompare}>
        Compare <Kbd>c</Kbd>
      </Button>
      {isAsking ? (
        <Dialog title="What is different about the ticked runs?" isOpen onClose={() => setAsking(false)}>
          <DifferenceList
            asked={{ selection: { runIds: [...ids] }, base: { filters: baseOf(state.filters) } }}
            hrefOf={(facet, value) => listHref({ ...state.url, [facet]: [value] })}
          />
        </Dialog>
      ) : null}
    </span>
  );
}
