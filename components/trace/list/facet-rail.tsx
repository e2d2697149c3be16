"use client";
import { useQuery } from "@tanstack/react-query";
import { CheckList } from "@/components/ui/controls/check-list";
import { Select } from "@/components/ui/controls/select";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { errorMessage } from "@/lib/client/http/api";
import { choose, FACET_KEYS, FACET_LABELS, type FacetKey, facetWord } from "@/lib/client/trace/facets";
import { facetsQuery } from "@/lib/client/trace/trace-queries";
import type { TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { formatCount } from "@/lib/client/ui/text/format";
import type { FacetList } from "@/lib/schema/traces/trace";

export interface FacetRailProps {
  state: TraceFilterState;
  /** Others see only their own runs. */
  isAdmin: boolean;
}

/** What runs can be narrowed by, with how many there are of each. */
export function FacetRail({ state, isAdmin }: FacetRailProps) {
  const { data, error } = useQuery(facetsQuery(state.filters));
  if (data === undefined) {
    return error === null ? (
      <SkeletonList label="Counting runs" rows={10} />
    ) : (
      <p className="text-sm text-muted">The runs could not be counted: {errorMessage(error)}</p>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <Ranges state={state} />
      {FACET_KEYS.filter((facet) => facet !== "person" || isAdmin).map((facet) => (
        <Facet key={facet} facet={facet} list={data} state={state} />
      ))}
    </div>
  );
}

interface FacetProps {
  facet: FacetKey;
  list: FacetList;
  state: TraceFilterState;
}

/** Nothing where no run has a value, unless one is chosen. */
function Facet({ facet, list, state }: FacetProps) {
  const chosen: readonly string[] = state.url[facet];
  const counted = list.facets.find(({ name }) => name === facet)?.values ?? [];
  const options = counted.map(({ value, label, count }) => ({
    id: value,
    name: facetWord(facet, value, label),
    hint: formatCount(count),
  }));
  const uncounted = chosen
    .filter((value) => !counted.some((one) => one.value === value))
    .map((value) => ({ id: value, name: facetWord(facet, value), hint: "0" }));
  if (options.length + uncounted.length === 0) return null;
  return (
    <CheckList
      label={FACET_LABELS[facet]}
      options={[...options, ...uncounted]}
      value={chosen}
      onChange={(values) => choose(state, facet, values)}
    />
  );
}

const ANY = "any";
const COSTS = [0.01, 0.1, 0.5, 1, 5];
const TIMES_MS = [10_000, 60_000, 300_000, 1_800_000];

function Ranges({ state: { url, setUrl } }: Pick<FacetRailProps, "state">) {
  return (
    <div className="flex flex-col items-start gap-1">
      <Select
        look="bare"
        label="Errors"
        options={[
          { id: ANY, name: "With or without errors" },
          { id: "error", name: "Run or call failed" },
        ]}
        value={url.hasError ? "error" : ANY}
        onChange={(id) => void setUrl({ hasError: id === ANY ? null : true })}
      />
      <Select
        look="bare"
        label="Cost"
        options={[
          { id: ANY, name: "Any cost" },
          ...withOwn(COSTS, url.minCost).map((cost) => ({ id: String(cost), name: `$${cost} or more` })),
        ]}
        value={url.minCost === null ? ANY : String(url.minCost)}
        onChange={(id) => void setUrl({ minCost: id === ANY ? null : Number(id) })}
      />
      <Select
        look="bare"
        label="Time worked"
        options={[
          { id: ANY, name: "Any time worked" },
          ...withOwn(TIMES_MS, url.minWorked).map((ms) => ({ id: String(ms), name: `${timeText(ms)} or more` })),
        ]}
        value={url.minWorked === null ? ANY : String(url.minWorked)}
        onChange={(id) => void setUrl({ minWorked: id === ANY ? null : Number(id) })}
      />
    </div>
  );
}

/** The URL may have another bound than those that are offered. */
function withOwn(offered: readonly number[], own: number | null): number[] {
  return own === null || offered.includes(own) ? [...offered] : [...offered, own].toSorted((a, b) => a - b);
}

export function timeText(ms: number): string {
  return ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`;
}
