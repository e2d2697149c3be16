"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useRef } from "react";
import { Page } from "@/components/shell/page";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { StartLink } from "@/components/shell/start-link";
import { AlertButton } from "@/components/trace/alerts/alert-button";
import { TraceCharts } from "@/components/trace/charts/trace-charts";
import { TracesHead } from "@/components/trace/traces-head";
import { Button } from "@/components/ui/controls/button";
import { Switch } from "@/components/ui/controls/switch";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/states/state-block";
import { StillPreparing } from "@/components/ui/states/still-preparing";
import { Time } from "@/components/ui/time";
import { errorMessage } from "@/lib/client/http/api";
import { summarizeError } from "@/lib/client/http/error-summary";
import { compareHref } from "@/lib/client/trace/compare/compare-queries";
import { useKeepListOrder } from "@/lib/client/trace/list/list-order";
import { type LiveList, useLiveList } from "@/lib/client/trace/list/use-live-list";
import { type ChosenColumns, useTraceColumns } from "@/lib/client/trace/list/use-trace-columns";
import { useTracePeek } from "@/lib/client/trace/list/use-trace-peek";
import { facetsQuery, MOST_NEWER, traceListQuery } from "@/lib/client/trace/trace-queries";
import { type TraceFilterState, useTraceFilters, viewQuery } from "@/lib/client/trace/use-trace-filters";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import type { FacetList, TraceOrder, TraceSummary } from "@/lib/schema/traces/trace";
import { ColumnsButton } from "./columns-button";
import { FacetRail } from "./facet-rail";
import { FilterChips } from "./filter-chips";
import { TickActions, type Ticks, useTicks } from "./tick-actions";
import { TraceFilters } from "./trace-filters";
import { TracePeek } from "./trace-peek";
import { TraceTable } from "./trace-table";
import { SaveViewButton, TraceViews } from "./trace-views";

const PAGE_KEYS = [
  { keys: "/", does: "Search the traces" },
  { keys: "j k", does: "Next and previous run" },
  { keys: "Space", does: "Look into the run" },
  { keys: "Enter", does: "Open the run" },
  { keys: "x", does: "Tick the run" },
  { keys: "c", does: "Compare two ticked runs" },
] as const;

/** Every traced run, newest first; running ones update live. */
export function TraceListPage({ isAdmin }: { isAdmin: boolean }) {
  const state = useTraceFilters();
  const searchRef = useRef<HTMLInputElement>(null);
  const { data: counted } = useQuery(facetsQuery(state.filters));
  const live = useLiveList(state);
  const list = useInfiniteQuery(traceListQuery(state.filters, live.loadedAtMs));
  const columns = useTraceColumns(state);
  const traces = useMemo(() => list.data?.pages.flatMap((page) => page.traces) ?? [], [list.data]);
  const peek = useTracePeek(state, traces);
  const { go } = useShell();
  const ticks = useTicks();
  const [a, b, ...others] = ticks.ids;
  // Without exactly two, the key leads to the composer as on every page.
  const compare = a !== undefined && b !== undefined && others.length === 0 ? () => go(compareHref(a, b)) : null;
  useKeepListOrder(useMemo(() => traces.map(({ runId }) => runId), [traces]));
  usePageKeys(PAGE_KEYS);
  useShortcuts({ "/": () => searchRef.current?.focus(), ...(compare === null ? {} : { c: compare }) });
  return (
    <Page>
      <TracesHead current="runs" actions={<ListActions state={state} live={live} columns={columns} />} />
      <TraceFilters state={state} isAdmin={isAdmin} searchRef={searchRef} />
      <FilterChips state={state} />
      <TraceCharts state={state} />
      <StillPreparing unfolded={list.data?.pages[0]?.unfolded} unmasked={list.data?.pages[0]?.unmasked} />
      <div className="flex min-h-0 flex-1">
        <aside
          aria-label="Filters"
          className="w-56 shrink-0 overflow-y-auto border-r border-border bg-background p-4 max-lg:hidden"
        >
          <TraceViews state={state} />
          <FacetRail state={state} isAdmin={isAdmin} />
        </aside>
        <div className="min-h-0 min-w-0 flex-1">
          {list.data ? (
            <Found
              traces={traces}
              ticked={ticks.set}
              onTick={ticks.toggle}
              isFiltered={state.isFiltered}
              onClear={() => void state.clear()}
              columns={columns}
              peeked={peek.runId}
              onPeek={peek.show}
              order={state.url.sort}
              onSort={(sort) => void state.setUrl({ sort })}
              hasMore={list.hasNextPage}
              onMore={() => {
                // After a failure the next refresh of the list retries: an immediate retry would only fail again.
                if (!list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
              }}
            />
          ) : (
            <NotFoundYet error={list.error} onRetry={() => void list.refetch()} />
          )}
        </div>
        {peek.trace === null ? null : <TracePeek trace={peek.trace} onMove={peek.move} onClose={peek.close} />}
      </div>
      <Foot
        count={traces.length}
        counted={counted}
        order={state.url.sort}
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        error={list.error}
        ticks={ticks}
        live={live}
        state={state}
        onCompare={() => compare?.()}
      />
    </Page>
  );
}

interface FoundProps {
  traces: readonly TraceSummary[];
  isFiltered: boolean;
  onClear: () => void;
  hasMore: boolean;
  onMore: () => void;
  order: TraceOrder;
  onSort: (order: TraceOrder) => void;
  ticked: ReadonlySet<string>;
  onTick: (runId: string) => void;
  columns: ChosenColumns;
  peeked: string | null;
  onPeek: (runId: string | null) => void;
}

/** At the end of the page's head. */
function ListActions({ state, live, columns }: Pick<FootProps, "state" | "live"> & Pick<FoundProps, "columns">) {
  return (
    <>
      <span className="flex items-center gap-2 text-sm">
        <Switch label="Live" isOn={live.isLive} onChange={live.setLive} />
        <span aria-hidden className="max-md:hidden">
          Live
        </span>
      </span>
      <SaveViewButton state={state} />
      <AlertButton label="Alert me" query={viewQuery(state.url)} look="ghost" className="max-md:hidden" />
      <ColumnsButton columns={columns} />
    </>
  );
}

function Found({ traces, isFiltered, onClear, ...list }: FoundProps) {
  const { viewer } = useShell();
  if (traces.length > 0) return <TraceTable traces={traces} {...list} />;
  if (isFiltered) {
    return (
      <EmptyState title="No trace matches" actions={<Button onPress={onClear}>Clear the filters</Button>}>
        No trace in this period matches all filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No runs yet" actions={<StartLink variant="primary">Start a chat</StartLink>}>
      Every run of an agent leaves a trace here. The demo model needs no key.{" "}
      {viewer.role === "admin" ? (
        <Link href="/admin/models?add=true" className="text-link underline underline-offset-2">
          Connect a model
        </Link>
      ) : null}
    </EmptyState>
  );
}

function NotFoundYet({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error === null) return <SkeletonList label="Loading traces" rows={16} className="px-2" />;
  const { message, ...facts } = summarizeError(error);
  return (
    <ErrorState title="The list could not be loaded" {...facts} onRetry={onRetry}>
      {message} Your filters are kept.
    </ErrorState>
  );
}

const PARTS: Readonly<Partial<Record<TraceOrder, string>>> = {
  started: "The newest",
  worked: "The longest at work,",
  waited: "The longest waiting,",
  cost: "The most expensive",
};
const ENDED_ONLY: ReadonlySet<TraceOrder> = new Set(["worked", "waited"]);

function newerText(newer: number): string {
  if (newer === 1) return "1 newer run";
  return newer === MOST_NEWER ? `${MOST_NEWER} or more newer runs` : `${newer} newer runs`;
}

interface FootProps {
  count: number;
  counted: FacetList | undefined;
  order: TraceOrder;
  hasMore: boolean;
  isLoading: boolean;
  error: Error | null;
  ticks: Ticks;
  live: LiveList;
  state: TraceFilterState;
  onCompare: () => void;
}

/** How many are loaded, and of how many: counting takes longer than the list, so it says when that was. */
function Foot({ count, counted, order, hasMore, isLoading, error, ticks, live, state, onCompare }: FootProps) {
  if (count === 0) return null;
  return (
    <footer className="tnum flex h-9 shrink-0 items-center gap-3 border-t border-border px-4 text-xs text-muted">
      <span>
        {hasMore
          ? `${PARTS[order] ?? "The first"} ${count.toLocaleString("en")} are shown`
          : `${count.toLocaleString("en")} in total`}
        {ENDED_ONLY.has(order) ? ", without runs that have not ended" : ""}
      </span>
      {hasMore && counted ? (
        <span>
          {counted.runs.toLocaleString("en")} match, counted <Time at={counted.countedAt} isInSentence />
        </span>
      ) : null}
      {live.newer === 0 ? null : (
        <span role="status" className="flex items-center gap-1">
          {newerText(live.newer)}
          <Button variant="ghost" onPress={live.showNewer}>
            Show them
          </Button>
        </span>
      )}
      {isLoading ? <span role="status">Loading more</span> : null}
      {error ? <span className="text-fail-text">Not refreshed: {errorMessage(error)}</span> : null}
      {ticks.ids.length === 0 ? null : <TickActions ticks={ticks} state={state} onCompare={onCompare} />}
    </footer>
  );
}
