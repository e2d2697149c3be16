"use client";
import { useState } from "react";
import { callJson } from "@/lib/client/http/api";
import { type TraceFilterState, viewQuery } from "@/lib/client/trace/use-trace-filters";
import { useAction } from "@/lib/client/ui/use-action";
import { type ParsedFilters, ParsedSearch } from "@/lib/schema/traces/list/parsed-search";

type Url = TraceFilterState["url"];
type Change = Parameters<TraceFilterState["setUrl"]>[0];

/** What a search was understood as. */
interface Understood {
  readonly text: string;
  readonly filterCount: number;
  /** Searched as text, because it meant no filter. */
  readonly rest: string;
}

export interface Meaning {
  /** Null: nothing was understood, or the list shows something else by now. */
  readonly understood: Understood | null;
  /** Turns what the words mean into filters; the rest stays as text. */
  readonly understand: (text: string) => void;
  /** Back to the filters of before, without the search. */
  readonly undo: () => void;
  /** Back to the filters of before, with all of the words as text. */
  readonly searchAsText: () => void;
}

interface Applied extends Understood {
  readonly before: Url;
  /** The view that it led to. */
  readonly query: string;
}

/** Words to filters: "failed runs of coder yesterday". */
export function useMeaning({ url, setUrl }: Pick<TraceFilterState, "url" | "setUrl">): Meaning {
  const [applied, setApplied] = useState<Applied | null>(null);
  const parse = useAction({
    mutationFn: (text: string) => {
      const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return callJson(ParsedSearch, "/api/traces/parse", { method: "POST", body: { text, timezone } });
    },
    onSuccess: ({ filters, rest }, text) => {
      const filterCount = Object.keys(filters).filter((name) => name !== "until").length;
      if (filterCount === 0) return;
      const change = { ...changeOf(filters), q: rest === "" ? null : rest };
      const after = { ...url, ...change, q: rest } as Url;
      setApplied({ text, filterCount, rest, before: { ...url, q: "" }, query: viewQuery(after) });
      void setUrl(change);
    },
  });
  const isShown = applied !== null && viewQuery(url) === applied.query;
  const goBack = (q: string | null) => {
    if (applied === null) return;
    setApplied(null);
    void setUrl({ ...applied.before, q });
  };
  return {
    understood: isShown ? applied : null,
    understand: (text) => {
      if (text.trim() !== "") parse.mutate(text.trim());
    },
    undo: () => goBack(null),
    searchAsText: () => goBack(applied?.text ?? null),
  };
}

/** The URL's parameters for the filters. */
function changeOf({ agentId, minCostUsd, minWorkedMs, since, until, ...same }: ParsedFilters) {
  const lists = Object.entries(same).map(([name, value]) => [
    name,
    typeof value === "string" ? value.split(",") : value,
  ]);
  const change = {
    ...Object.fromEntries(lists),
    ...(agentId === undefined ? {} : { agent: agentId.split(",") }),
    ...(minCostUsd === undefined ? {} : { minCost: minCostUsd }),
    ...(minWorkedMs === undefined ? {} : { minWorked: minWorkedMs }),
    ...(since === undefined ? {} : { from: since, to: until ?? null, day: null, period: null }),
  };
  return change as Extract<Change, object>;
}
