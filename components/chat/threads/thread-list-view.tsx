"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "next/navigation";
import { useDeferredValue, useRef, useState } from "react";
import { HiddenProjectList, LazyMoveThread, LazyProjectList } from "@/components/projects/lazy-projects";
import { StartLink } from "@/components/shell/start-link";
import { Button } from "@/components/ui/controls/button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { StillPreparing } from "@/components/ui/states/still-preparing";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { useAsked } from "@/lib/client/chat/asks/use-decisions";
import { type ThreadFilters, threadListQuery } from "@/lib/client/chat/thread-queries";
import { foundGroup, groupThreads, withWaiting } from "@/lib/client/chat/threads/group-threads";
import { useThreadActions } from "@/lib/client/chat/threads/use-thread-actions";
import { useThreadSelection } from "@/lib/client/chat/threads/use-thread-selection";
import { summarizeError } from "@/lib/client/http/error-summary";
import { useHasProjects } from "@/lib/client/projects/use-has-projects";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useHalfMinuteWhile } from "@/lib/client/ui/use-now";
import { HAS_LIST_COLUMN } from "@/lib/client/ui/wide";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { LazyRename } from "./lazy-rename";
import { LazyShareDialog } from "./lazy-share";
import { LazyThreadTools } from "./lazy-tools";
import { ThreadList } from "./thread-list";
import type { ListFilters } from "./thread-tools";

const NO_FILTERS: ListFilters = { agentId: null, state: null };

interface ThreadListViewProps {
  /** Whether it has a column of its own, which small screens don't show. */
  isColumn?: boolean;
  onNavigate?: () => void;
}

/** The list beside every chat page, or in a drawer if there is no room for it. */
export function ThreadListView({ isColumn = false, onNavigate }: ThreadListViewProps) {
  const { threadId } = useParams<{ threadId?: string }>();
  const [search, setSearch] = useState("");
  const [isArchive, setArchive] = useState(false);
  const [renaming, setRenaming] = useState<ThreadSummary | null>(null);
  const [sharingId, setSharingId] = useState<string | null>(null);
  const [moving, setMoving] = useState<ThreadSummary | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const q = useDeferredValue(search.trim());
  const [filters, setFilters] = useState<ListFilters>(NO_FILTERS);
  const [hasTools, setTools] = useState(false);
  const isShown = useRowsShown(isColumn);
  const { list, known } = useThreads({ q, archived: isArchive, ...filters }, isShown);
  const actions = useThreadActions(threadId ?? null);
  const asked = useAsked();
  const now = useHalfMinuteWhile(isShown);
  useShortcuts({ "/": () => searchRef.current?.focus() });
  const threads = known.filter(({ id }) => !actions.hidden.has(id));
  const groups = now === null ? [] : q === "" ? groupThreads(threads, now, asked) : foundGroup(threads);
  const selection = useThreadSelection(groups.flatMap((group) => group.threads.map(({ id }) => id)));
  const isWhole = q === "" && selection.ids === null;
  const hideTools = () => {
    setTools(false);
    selection.end();
    setFilters(NO_FILTERS);
  };
  return (
    <>
      <ThreadList
        groups={groups}
        origins={isWhole && isShown && !isArchive ? list.data?.pages[0]?.groups : null}
        asked={asked}
        currentId={threadId ?? null}
        search={search}
        onSearch={setSearch}
        searchRef={searchRef}
        isArchive={isArchive}
        onArchiveView={(archive) => {
          selection.end();
          setArchive(archive);
        }}
        projects={
          !isWhole ? null : isShown ? <LazyProjectList {...{ isArchive, onNavigate }} /> : <HiddenProjectList />
        }
        tools={
          hasTools ? <LazyThreadTools {...{ filters, selection, isArchive, threads }} onFilters={setFilters} /> : null
        }
        onTools={() => (hasTools ? hideTools() : setTools(true))}
        selected={selection.ids}
        onSelect={(id, isRange) => {
          setTools(true);
          selection.toggle(id, isRange);
        }}
        onStopSelecting={selection.end}
        placeholder={
          <>
            <StillPreparing unfolded={list.data?.pages[0]?.unfolded} />
            <Placeholder
              list={list}
              isEmpty={threads.length === 0}
              search={q}
              filters={filters}
              onClearFilters={() => setFilters(NO_FILTERS)}
              isArchive={isArchive}
              onClearSearch={() => setSearch("")}
            />
          </>
        }
        onLoadMore={list.hasNextPage ? () => void list.fetchNextPage() : null}
        isLoadingMore={list.isFetchingNextPage}
        onNavigate={onNavigate}
        onRename={setRenaming}
        onShare={({ id }) => setSharingId(id)}
        onPin={actions.pin}
        onArchive={actions.archive}
        onDelete={actions.remove}
        onMove={setMoving}
      />
      {moving ? <LazyMoveThread thread={moving} onClose={() => setMoving(null)} /> : null}
      {sharingId === null ? null : <LazyShareDialog threadId={sharingId} onClose={() => setSharingId(null)} />}
      {renaming ? (
        <LazyRename
          thread={renaming}
          onClose={() => setRenaming(null)}
          onRename={(title) => actions.rename(renaming, title)}
        />
      ) : null}
    </>
  );
}

/** Building rows that a phone hides would keep it busy while the page opens. Rows that were shown once stay. */
function useRowsShown(isColumn: boolean): boolean {
  const hasColumn = useMediaQuery(HAS_LIST_COLUMN);
  const [isShown, setShown] = useState(!isColumn);
  if (!isShown && hasColumn) setShown(true);
  return isShown;
}

/**
 * The loaded pages, with older threads that wait for the person. A list that is not shown is kept up to date if the page
 * came with it, and is otherwise not asked for.
 */
function useThreads({ q, archived, agentId, state }: ThreadFilters, isShown: boolean) {
  const narrowed = { ...(agentId === null ? {} : { agentId }), ...(state === null ? {} : { state }) };
  const list = useInfiniteQuery({
    ...threadListQuery({ q, archived, ...narrowed }),
    enabled: (query) => isShown || query.state.data !== undefined,
  });
  const { data: waiting } = useQuery(approvalsQuery);
  const loaded = (list.data?.pages ?? []).flatMap((page) => page.threads);
  const isWhole = list.isSuccess && q === "" && !archived && Object.keys(narrowed).length === 0;
  return { list, known: isWhole ? withWaiting(loaded, waiting?.approvals ?? []) : loaded };
}

interface PlaceholderProps {
  list: ReturnType<typeof useThreads>["list"];
  isEmpty: boolean;
  search: string;
  filters: ListFilters;
  onClearFilters: () => void;
  isArchive: boolean;
  onClearSearch: () => void;
}

function Placeholder(props: PlaceholderProps) {
  const { list, isEmpty, search, filters, isArchive, onClearSearch } = props;
  // Until a search is answered, the previous results are shown.
  if (list.isPending || (list.isPlaceholderData && isEmpty))
    return <SkeletonList label="Loading threads" rows={8} rowHeight={32} className="divide-y-0" />;
  if (list.isError && isEmpty) {
    const { message, code } = summarizeError(list.error);
    return (
      <Said title="The threads could not be loaded" text={code ? `${message} (${code})` : message}>
        <Button onPress={() => void list.refetch()}>Try again</Button>
      </Said>
    );
  }
  if (!isEmpty) return null;
  if (search !== "") {
    return (
      <Said
        title="Nothing found"
        text={`No ${isArchive ? "archived " : ""}thread has “${search}” in its title or text.`}
      >
        <Button onPress={onClearSearch}>Clear search</Button>
      </Said>
    );
  }
  if ((filters.agentId ?? filters.state) !== null) {
    return (
      <Said title="No matches" text="No thread here matches this agent and state.">
        <Button onPress={props.onClearFilters}>Clear filters</Button>
      </Said>
    );
  }
  if (isArchive)
    return <Said title="No archived threads" text="Archive a thread from its menu to keep it out of the way." />;
  return <NoThreads />;
}

function NoThreads() {
  const hasProjects = useHasProjects();
  const [title, text] = hasProjects
    ? ["No threads outside projects", "Threads that are not in a project appear here."]
    : ["No threads yet", "Your conversations appear here."];
  return (
    <Said title={title} text={text}>
      <StartLink>Start a thread</StartLink>
    </Said>
  );
}

function Said({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) {
  return (
    <div role="status" className="px-2 py-6 text-center">
      <p className="text-sm font-medium">{title}</p>
      <p className="mt-0.5 mb-3 text-xs text-balance text-muted">{text}</p>
      {children}
    </div>
  );
}
