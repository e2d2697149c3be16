"use client";
import { ListFilter, X } from "lucide-react";
import { type RefObject, useState } from "react";
import { AlertButton } from "@/components/trace/alerts/alert-button";
import { ChartsButton } from "@/components/trace/charts/trace-charts";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Select } from "@/components/ui/controls/select";
import { Sheet } from "@/components/ui/overlays/sheet";
import { Count } from "@/components/ui/tag";
import { useMeaning } from "@/lib/client/trace/list/use-meaning";
import { PERIODS, type TraceFilterState, viewQuery } from "@/lib/client/trace/use-trace-filters";
import { useSettledText } from "@/lib/client/ui/input/use-settled-text";
import { FacetRail } from "./facet-rail";
import { MeaningLine } from "./meaning-line";
import { TraceViews } from "./trace-views";

export interface TraceFiltersProps {
  state: TraceFilterState;
  isAdmin: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
}

const ALL = "all";
/** One day, chosen on the usage page. */
const DAY = "day";

/** One bar: text, time and owner; where there is no room beside the list, the facets too. Its state is in the URL. */
export function TraceFilters({ state, isAdmin, searchRef }: TraceFiltersProps) {
  const { url, setUrl, isFiltered, clear } = state;
  const search = useSettledText(url.q, (text) => void setUrl({ q: text === "" ? null : text }));
  const meaning = useMeaning(state);
  const onEnter = () => {
    search.onBlur();
    meaning.understand(search.value);
  };
  return (
    <>
      <div className="flex min-h-11 shrink-0 items-center gap-1.5 border-b border-border px-4 py-1.5 max-md:flex-col max-md:items-stretch max-md:px-3">
        <SearchField
          {...search}
          label="Search traces"
          placeholder="Search messages, titles, errors, models, ids"
          inputRef={searchRef}
          onEnter={onEnter}
          shortcut="/"
          className="min-w-0 flex-1 max-md:flex-none"
        />
        <div className="flex items-center gap-1.5 overflow-x-auto [scrollbar-width:none] [&>*]:shrink-0">
          <FacetSheet state={state} isAdmin={isAdmin} />
          <ChartsButton />
          <Select
            look="bare"
            label="Time"
            options={[
              ...(url.day === "" ? [] : [{ id: DAY, name: url.day }]),
              ...PERIODS.map(({ id, name }) => ({ id, name })),
            ]}
            value={url.day === "" ? url.period : DAY}
            onChange={(id) => {
              if (id === DAY) return;
              const period = PERIODS.find((one) => one.id === id)?.id ?? null;
              void setUrl({ day: null, from: null, to: null, period });
            }}
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
              Clear
            </Button>
          ) : null}
          <AlertButton label="Alert me" query={viewQuery(url)} look="ghost" className="md:hidden" />
        </div>
      </div>
      <MeaningLine meaning={meaning} />
    </>
  );
}

function FacetSheet({ state, isAdmin }: Pick<TraceFiltersProps, "state" | "isAdmin">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button className="lg:hidden" onPress={() => setIsOpen(true)}>
        <ListFilter aria-hidden />
        Filters
        {state.chosenCount > 0 ? <Count>{state.chosenCount}</Count> : null}
      </Button>
      <Sheet label="Filters" side="bottom" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <header className="flex h-12 shrink-0 items-center border-b border-border pr-2 pl-4 text-sm font-semibold">
          <span className="flex-1">Filters</span>
          <IconButton label="Close" onPress={() => setIsOpen(false)}>
            <X />
          </IconButton>
        </header>
        <div className="min-h-0 overflow-y-auto p-4">
          <TraceViews state={state} />
          <FacetRail state={state} isAdmin={isAdmin} />
        </div>
      </Sheet>
    </>
  );
}

const WHOSE = [
  { id: ALL, name: "Everybody's" },
  { id: "mine", name: "Mine" },
];
