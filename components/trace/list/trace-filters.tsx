"use client";
import { ListFilter } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "@/components/ui/controls/button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Select } from "@/components/ui/controls/select";
import { ORIGIN_WORDS } from "@/lib/client/trace/origin-words";
import { PERIODS, type TraceFilterState } from "@/lib/client/trace/use-trace-filters";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import type { RunOriginKind } from "@/lib/schema/runs/run";
import { StatusFilter } from "./status-filter";

export interface TraceFiltersProps {
  state: TraceFilterState;
  agents: readonly { id: string; name: string }[];
  isAdmin: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
}

const ALL = "all";
/** One day, chosen on the usage page. */
const DAY = "day";

/** One bar: text, state, agent, time and owner. Its state is in the URL. */
export function TraceFilters({ state, agents, isAdmin, searchRef }: TraceFiltersProps) {
  const { url, setUrl, isFiltered, clear } = state;
  const search = useSettledText(url.q, (text) => void setUrl({ q: text === "" ? null : text }));
  const agentOptions = [{ id: ALL, name: "All agents" }, ...agents.map(({ id, name }) => ({ id, name }))];
  return (
    <div className="flex min-h-11 shrink-0 items-center gap-1.5 border-b border-border px-4 py-1.5 max-md:flex-col max-md:items-stretch max-md:px-3">
      <SearchField
        {...search}
        label="Search traces"
        placeholder="Search titles, errors, models, ids"
        inputRef={searchRef}
        shortcut="/"
        className="min-w-0 flex-1 max-md:flex-none"
      />
      <div className="flex items-center gap-1.5 overflow-x-auto [scrollbar-width:none] [&>*]:shrink-0">
        <StatusFilter
          selected={url.status}
          onChange={(status) => void setUrl({ status: status.length === 0 ? null : status })}
        />
        <Select
          look="bare"
          label="Agent"
          options={agentOptions}
          value={url.agent || ALL}
          onChange={(id) => void setUrl({ agent: id === ALL ? null : id })}
          className="max-w-44"
        />
        <Select
          look="bare"
          label="Time"
          options={[
            ...(url.day === "" ? [] : [{ id: DAY, name: url.day }]),
            ...PERIODS.map(({ id, name }) => ({ id, name })),
          ]}
          value={url.day === "" ? url.period : DAY}
          onChange={(id) => {
            if (id !== DAY) void setUrl({ day: null, period: PERIODS.find((period) => period.id === id)?.id ?? null });
          }}
        />
        <Select
          look="bare"
          label="Origin"
          options={ORIGINS}
          value={url.origin ?? ALL}
          onChange={(id) => void setUrl({ origin: STARTED_HERE.find((origin) => origin === id) ?? null })}
        />
        {isAdmin ? (
          <Select
            look="bare"
            label="Whose"
            options={WHOSE}
            value={url.mine ? "mine" : ALL}
            onChange={(id) => void setUrl({ mine: id === "mine" || null })}
          />
        ) : null}
        {isFiltered ? (
          <Button variant="ghost" onPress={() => void clear()}>
            <ListFilter aria-hidden />
            Clear
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** The origins of runs in this version; traces are those of root runs. */
const STARTED_HERE = ["chat", "api"] as const satisfies RunOriginKind[];
const ORIGINS = [{ id: ALL, name: "Any origin" }, ...STARTED_HERE.map((id) => ({ id, name: ORIGIN_WORDS[id] }))];

const WHOSE = [
  { id: ALL, name: "Everybody's" },
  { id: "mine", name: "Mine" },
];
