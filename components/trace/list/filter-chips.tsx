"use client";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Button } from "@/components/ui/controls/button";
import { periodLabel, sinceLabel } from "@/lib/client/trace/charts/chart-labels";
import { choose, FACET_KEYS, FACET_LABELS, facetWord } from "@/lib/client/trace/facets";
import { facetsQuery } from "@/lib/client/trace/trace-queries";
import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { timeText } from "./facet-rail";

interface Chip {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  remove(): void;
}

/** What narrows the list beside the search and the time, each with a way to take it back. */
export function FilterChips({ state }: { state: TraceFilterState }) {
  const { data } = useQuery(facetsQuery(state.filters));
  const { url, setUrl, clear } = state;
  const labelOf = (facet: string, value: string) =>
    data?.facets.find(({ name }) => name === facet)?.values.find((one) => one.value === value)?.label;
  const chips: Chip[] = FACET_KEYS.flatMap((facet) => {
    const values: readonly string[] = url[facet];
    return values.map((value) => ({
      id: `${facet} ${value}`,
      name: FACET_LABELS[facet],
      value: facetWord(facet, value, labelOf(facet, value)),
      remove: () =>
        choose(
          state,
          facet,
          values.filter((other) => other !== value),
        ),
    }));
  });
  if (url.hasError)
    chips.push({ id: "e", name: "Errors", value: "failed", remove: () => void setUrl({ hasError: null }) });
  if (url.minCost !== null)
    chips.push({
      id: "c",
      name: "Cost",
      value: `$${url.minCost} or more`,
      remove: () => void setUrl({ minCost: null }),
    });
  if (url.minWorked !== null)
    chips.push({
      ...{ id: "w", name: "Worked", value: `${timeText(url.minWorked)} or more` },
      remove: () => void setUrl({ minWorked: null }),
    });
  if (url.problemId !== "")
    chips.push({ id: "p", name: "Problem", value: "its runs", remove: () => void setUrl({ problemId: null }) });
  if (state.brush !== null)
    chips.push({
      ...{ id: "b", name: "Started", value: periodLabel(state.brush) },
      remove: () => void setUrl({ from: null, to: null }),
    });
  if (state.startedFrom !== null)
    chips.push({
      ...{ id: "s", name: "Started", value: sinceLabel(state.startedFrom) },
      remove: () => void setUrl({ from: null }),
    });
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Filters in force" className="flex shrink-0 flex-wrap gap-1.5 border-b border-border px-4 py-1.5">
      {chips.map(({ id, name, value, remove }) => (
        <li key={id} className="flex min-w-0">
          <Button onPress={remove} className="max-w-64 min-w-0">
            <span className="font-normal text-muted">{name}</span>
            <span className="truncate">{value}</span>
            <X aria-label="Remove" />
          </Button>
        </li>
      ))}
      <li>
        <Button variant="ghost" onPress={() => void clear()}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
