"use client";
import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "@/lib/client/chat/thread-queries";
import { FACET_LABELS, type FacetKey, facetWord } from "@/lib/client/trace/facets";
import { alertFilters } from "@/lib/schema/traces/alert-query";

const OTHERS: Readonly<Record<string, string>> = {
  ...{ q: "Search", hasError: "Errors", minCost: "Cost from $", minWorked: "Worked from ms", problemId: "Problem" },
  ...{ mine: "Mine", attended: "Attended", maxCostUsd: "Cost to $", maxWorkedMs: "Worked to ms", drafts: "Tests" },
};
/** Filters whose value says nothing to people. */
const NAMED_ONLY: Readonly<Record<string, string>> = {
  problemId: "runs with the problem",
  mine: "my own runs",
  hasError: "runs with errors",
};

/** The filters of an alert in words. */
export function AlertFilters({ query }: { query: string }) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const filters = alertFilters(query);
  if (filters.length === 0) return "all runs";
  return filters
    .map(([name, value]) => {
      const named = NAMED_ONLY[name];
      if (named !== undefined) return named;
      if (!isFacet(name)) return `${OTHERS[name] ?? name} ${value}`;
      const words = value.split(",").map((one) => {
        const label = name === "agent" ? agents.find(({ id }) => id === one)?.name : undefined;
        return facetWord(name, one, label);
      });
      return `${FACET_LABELS[name]} ${words.join(", ")}`;
    })
    .join(" · ");
}

function isFacet(name: string): name is FacetKey {
  return Object.hasOwn(FACET_LABELS, name);
}
