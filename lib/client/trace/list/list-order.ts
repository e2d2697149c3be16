"use client";
import { useEffect } from "react";
import { z } from "zod";
import { useRemembered } from "@/lib/client/ui/use-remembered";

/** A longer list than this is not stepped through to its end. */
const MOST_RUNS = 500;

const RunIds = z.array(z.string());

function useListOrder() {
  return useRemembered("runs of the list of traces", RunIds);
}

/** Keeps the order of the list as it is shown in this tab: a trace steps through it. */
export function useKeepListOrder(runIds: readonly string[]): void {
  const { value, set } = useListOrder();
  useEffect(() => {
    const shown = runIds.slice(0, MOST_RUNS);
    if (shown.length > 0 && shown.join() !== value?.join()) set(shown);
  }, [runIds, value, set]);
}

/** The runs above and below this one in the list that was last shown in this tab. */
export function useNeighbours(runId: string): { readonly above: string | null; readonly below: string | null } {
  const { value } = useListOrder();
  const index = value?.indexOf(runId) ?? -1;
  if (index < 0) return { above: null, below: null };
  return { above: value?.[index - 1] ?? null, below: value?.[index + 1] ?? null };
}
