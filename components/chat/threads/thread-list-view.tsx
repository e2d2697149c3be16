"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "next/navigation";
import { useDeferredValue, useRef, useState } from "react";
import { StartLink } from "@/components/shell/start-link";
import { Button } from "@/components/ui/controls/button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { useAsked } from "@/lib/client/chat/asks/use-decisions";
import { threadListQuery } from "@/lib/client/chat/thread-queries";
import { foundGroup, groupThreads, withWaiting } from "@/lib/client/chat/threads/group-threads";
import { useThreadActions } from "@/lib/client/chat/threads/use-thread-actions";
import { errorFacts } from "@/lib/client/http/error-facts";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { LazyShareDialog } from "./lazy-share";
import { RenameThread } from "./rename-thread";
import { ThreadList } from "./thread-list";

/** The list beside every chat page, and inside a drawer where there is no room for it. */
export function ThreadListView({ onNavigate }: { onNavigate?: () => void }) {
  const { threadId } = useParams<{ threadId?: string }>();
  const [search, setSearch] = useState("");
  const [isArchive, setArchive] = useState(false);
  const [renaming, setRenaming] = useState<ThreadSummary | null>(null);
  const [sharingId, setSharingId] = useState<string | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const q = useDeferredValue(search.trim());
  const { list, known } = useThreads(q, isArchive);
  const actions = useThreadActions(threadId ?? null);
  const asked = useAsked();
  const now = useHalfMinute();
  useShortcuts({ "/": () => searchRef.current?.focus() });
  const threads = known.filter(({ id }) => !actions.hidden.has(id));
  return (
    <>
      <ThreadList
        groups={now === null ? [] : q === "" ? groupThreads(threads, now, asked) : foundGroup(threads)}
        asked={asked}
        currentId={threadId ?? null}
        search={search}
        onSearch={setSearch}
        searchRef={searchRef}
        isArchive={isArchive}
        onArchiveView={setArchive}
        placeholder={
          <Placeholder
            // Until a search is answered, the results of the previous one are shown.
            isLoading={list.isPending || (list.isPlaceholderData && threads.length === 0)}
            error={list.isError && threads.length === 0 ? list.error : null}
            isEmpty={threads.length === 0}
            search={q}
            isArchive={isArchive}
            onRetry={() => void list.refetch()}
            onClearSearch={() => setSearch("")}
          />
        }
        onLoadMore={list.hasNextPage ? () => void list.fetchNextPage() : null}
        isLoadingMore={list.isFetchingNextPage}
        onNavigate={onNavigate}
        onRename={setRenaming}
        onShare={({ id }) => setSharingId(id)}
        onPin={actions.pin}
        onArchive={actions.archive}
        onDelete={actions.remove}
      />
      {sharingId === null ? null : <LazyShareDialog threadId={sharingId} onClose={() => setSharingId(null)} />}
      {renaming ? (
        <RenameThread
          thread={renaming}
          onClose={() => setRenaming(null)}
          onRename={(title) => actions.rename(renaming, title)}
        />
      ) : null}
    </>
  );
}

/** The pages that are loaded, with what waits for the person from further back. */
function useThreads(q: string, isArchive: boolean) {
  const list = useInfiniteQuery(threadListQuery({ q, archived: isArchive }));
  const { data: waiting } = useQuery(approvalsQuery);
  const loaded = (list.data?.pages ?? []).flatMap((page) => page.threads);
  const isWhole = list.isSuccess && q === "" && !isArchive;
  return { list, known: isWhole ? withWaiting(loaded, waiting?.approvals ?? []) : loaded };
}

interface PlaceholderProps {
  isLoading: boolean;
  error: Error | null;
  isEmpty: boolean;
  search: string;
  isArchive: boolean;
  onRetry: () => void;
  onClearSearch: () => void;
}

function Placeholder({ isLoading, error, isEmpty, search, isArchive, onRetry, onClearSearch }: PlaceholderProps) {
  if (isLoading) return <SkeletonList label="Loading threads" rows={8} rowHeight={32} className="divide-y-0" />;
  if (error) {
    const { message, code } = errorFacts(error);
    return (
      <Said title="The threads could not be loaded" text={code ? `${message} (${code})` : message}>
        <Button onPress={onRetry}>Try again</Button>
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
  if (isArchive)
    return <Said title="No archived threads" text="Archive a thread from its menu to keep it out of the way." />;
  return (
    <Said title="No threads yet" text="Your conversations appear here.">
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
