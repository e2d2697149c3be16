"use client";
import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  ChevronRight,
  Download,
  Ellipsis,
  FolderInput,
  ListFilter,
  Pencil,
  Pin,
  PinOff,
  Search,
  Share2,
  SquarePen,
  Trash2,
} from "lucide-react";
import Link from "next/link";
import type { ReactNode, RefObject } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { SearchField } from "@/components/ui/controls/search-field";
import { Menu } from "@/components/ui/overlays/menu";
import { StateRing } from "@/components/ui/states/state-ring";
import { Count } from "@/components/ui/tag";
import { Time } from "@/components/ui/time";
import { focusComposer } from "@/lib/client/chat/composer/use-composer-focus";
import { type Asked, needsPerson, type ThreadGroup } from "@/lib/client/chat/threads/group-threads";
import { exportThreadUrl } from "@/lib/client/chat/threads/thread-actions";
import { threadHref } from "@/lib/client/chat/threads/thread-href";
import type { ThreadSelection } from "@/lib/client/chat/threads/use-thread-selection";
import { classNames } from "@/lib/client/ui/class-names";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { ThreadListItem, ThreadOriginGroup, ThreadSnippet, ThreadSummary } from "@/lib/schema/threads/thread";
import { OriginFolds } from "./origin-folds";

export interface ThreadCallbacks {
  onRename: (thread: ThreadSummary) => void;
  onShare: (thread: ThreadSummary) => void;
  onPin: (thread: ThreadSummary) => void;
  onArchive: (thread: ThreadSummary) => void;
  onDelete: (thread: ThreadSummary) => void;
  onMove?: (thread: ThreadSummary) => void;
}

export interface ThreadListProps extends ThreadCallbacks {
  groups: readonly ThreadGroup[];
  /** Threads that something else than a message started; null where they are in the groups. */
  origins?: readonly ThreadOriginGroup[] | null;
  /** The asks of waiting threads, under their titles. */
  asked?: Asked;
  currentId: string | null;
  search: string;
  onSearch: (search: string) => void;
  searchRef?: RefObject<HTMLInputElement | null>;
  isArchive: boolean;
  onArchiveView: (isArchive: boolean) => void;
  /** Above the groups. */
  projects?: ReactNode;
  /** Filters and bulk actions, while they are shown. */
  tools?: ReactNode;
  onTools?: () => void;
  /** The ticked threads; null if none are being selected. */
  selected?: ReadonlySet<string> | null;
  onSelect?: ThreadSelection["toggle"];
  onStopSelecting?: () => void;
  /** Instead of the groups: loading, error or an empty state. */
  placeholder: ReactNode;
  onLoadMore: (() => void) | null;
  isLoadingMore: boolean;
  onNavigate?: () => void;
}

export function ThreadList(props: ThreadListProps) {
  const { groups, placeholder, isArchive, onArchiveView, onLoadMore } = props;
  return (
    <>
      <ListHead
        isArchive={isArchive}
        onArchiveView={onArchiveView}
        onNavigate={props.onNavigate}
        onTools={props.onTools}
        hasTools={props.tools != null}
      />
      <SearchField
        label="Search threads"
        placeholder="Search titles and text"
        shortcut="/"
        inputRef={props.searchRef}
        value={props.search}
        onChange={props.onSearch}
        className="mx-3 mb-2 shrink-0"
      />
      {props.tools}
      <nav aria-label="Threads" className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {props.projects}
        {placeholder}
        {groups.map((group) => (
          <section key={group.name} className="mb-3">
            <h3 className="flex h-7 items-center gap-1.5 px-2 text-xs text-muted">
              {group.name}
              {group.name === "Waiting for you" ? <Count signal>{group.threads.length}</Count> : null}
            </h3>
            <ul>
              {group.threads.map((thread) => (
                <ThreadRow key={thread.id} {...props} thread={thread} />
              ))}
            </ul>
          </section>
        ))}
        {onLoadMore ? (
          <Button variant="ghost" className="w-full" isPending={props.isLoadingMore} onPress={onLoadMore}>
            Load more
          </Button>
        ) : null}
      </nav>
      {props.origins ? (
        <OriginFolds groups={props.origins} currentId={props.currentId} onNavigate={props.onNavigate} />
      ) : null}
      {isArchive ? null : (
        <button
          type="button"
          onClick={() => onArchiveView(true)}
          className="flex h-7 shrink-0 items-center gap-2 border-t border-border px-4 text-xs text-muted -outline-offset-2 touch-row hover:text-foreground"
        >
          <ChevronRight className="size-3.5" aria-hidden /> Archived
        </button>
      )}
    </>
  );
}

interface ListHeadProps {
  isArchive: boolean;
  onArchiveView: (isArchive: boolean) => void;
  onNavigate?: () => void;
  onTools?: () => void;
  hasTools: boolean;
}

function ListHead({ isArchive, onArchiveView, onNavigate, onTools, hasTools }: ListHeadProps) {
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 pr-2.5 pl-4">
      {isArchive ? (
        <IconButton label="Back to threads" className="-ml-2" onPress={() => onArchiveView(false)}>
          <ArrowLeft />
        </IconButton>
      ) : null}
      <h2 className="flex-1 text-sm font-semibold">{isArchive ? "Archived" : "Threads"}</h2>
      {onTools === undefined ? null : (
        <IconButton label="Filter and select" active={hasTools} onPress={onTools}>
          <ListFilter />
        </IconButton>
      )}
      <Link
        href="/"
        onClick={() => {
          onNavigate?.();
          // On the start page itself no navigation happens, so nothing moves the focus.
          if (onNavigate === undefined) focusComposer();
        }}
        aria-label="New thread"
        title="New thread"
        className="inline-flex size-7 items-center justify-center rounded-md text-muted touch-target hover:bg-default hover:text-foreground"
      >
        <SquarePen className="size-4" aria-hidden />
      </Link>
    </header>
  );
}

function ThreadRow({
  thread,
  asked = null,
  currentId,
  onNavigate,
  selected = null,
  onSelect,
  onStopSelecting,
  ...callbacks
}: ThreadListProps & { thread: ThreadListItem }) {
  const isHere = thread.id === currentId;
  const badge = threadBadge(thread, asked);
  const question = asked?.get(thread.id);
  return (
    <li className={classNames("group relative rounded-md", isHere ? "bg-surface-tertiary" : "hover:bg-default")}>
      <Link
        href={threadHref(thread)}
        onClick={(event) => {
          if (selected === null) return onNavigate?.();
          event.preventDefault();
          onSelect?.(thread.id, event.shiftKey);
        }}
        onKeyDown={(event) => {
          if (event.metaKey || event.ctrlKey || event.altKey) return;
          if (event.key === "Escape" && selected !== null) {
            event.preventDefault();
            onStopSelecting?.();
            return;
          }
          const isTick = event.key.toLowerCase() === "x";
          if (!isTick && event.key !== "ArrowRight") return;
          event.preventDefault();
          if (isTick) onSelect?.(thread.id, event.shiftKey);
          else event.currentTarget.closest("li")?.querySelector<HTMLElement>("button[aria-haspopup]")?.focus();
        }}
        aria-current={isHere ? "page" : undefined}
        className="flex items-start gap-2 rounded-md px-2 py-1.5 touch-row pointer-coarse:items-center"
      >
        <span className="flex h-5 w-3.5 shrink-0 items-center">
          {badge === null || selected !== null ? null : <StateRing status={badge} labelled />}
        </span>
        <span className="min-w-0 flex-1">
          <span
            className={classNames("block truncate", (isHere || question !== undefined) && "font-medium")}
            title={thread.title ?? undefined}
          >
            {thread.title ?? "New thread"}
          </span>
          {thread.draft ? <span className="block text-xs text-muted">Draft of {thread.agentName}</span> : null}
          {thread.snippet ? <Snippet {...thread.snippet} /> : null}
          {question === undefined ? null : (
            <span className="block truncate text-xs text-signal-text" title={question}>
              {question}
            </span>
          )}
        </span>
        <Time
          at={thread.updatedAt}
          className="tnum h-5 shrink-0 text-xs leading-5 text-subtle group-focus-within:invisible group-hover:invisible pointer-coarse:mr-10"
        />
      </Link>
      {selected === null ? null : (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${thread.title ?? "New thread"}`}
          checked={selected.has(thread.id)}
          onChange={(event) => onSelect?.(thread.id, (event.nativeEvent as MouseEvent).shiftKey)}
          className="absolute top-2.5 left-2 size-3.5 accent-(--accent) pointer-coarse:top-1/2 pointer-coarse:-translate-y-1/2"
        />
      )}
      {/* The keys are those of the button in it. */}
      <span
        onKeyDownCapture={(event) => {
          if (event.key !== "ArrowLeft" || !event.currentTarget.contains(document.activeElement)) return;
          event.preventDefault();
          event.currentTarget.closest("li")?.querySelector("a")?.focus();
        }}
        className="absolute top-0.5 right-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 has-aria-expanded:opacity-100 pointer-coarse:opacity-100"
      >
        <ThreadMenu thread={thread} isInRow {...callbacks} />
      </span>
    </li>
  );
}

/** The search's match in the thread's messages. */
function Snippet({ before, match, after }: ThreadSnippet) {
  return (
    <span className="block truncate text-xs text-muted">
      {before}
      <mark className="bg-selection font-medium text-foreground">{match}</mark>
      {after}
    </span>
  );
}

/** A running run takes precedence over those queued behind it; a completed thread shows nothing. */
function threadBadge(thread: ThreadSummary, asked: Asked): RunStatus | null {
  if (needsPerson(thread, asked)) return "waiting";
  const { status, activeRunId } = thread;
  if (activeRunId !== null) return "running";
  return status === "completed" ? null : status;
}

export function ThreadMenu({
  thread,
  onRename,
  onShare,
  onPin,
  onArchive,
  onDelete,
  onMove,
  onFind,
  isInRow = false,
}: ThreadCallbacks & { thread: ThreadSummary; onFind?: () => void; isInRow?: boolean }) {
  return (
    <Menu
      label={`Actions for ${thread.title ?? "the new thread"}`}
      trigger={
        <IconButton label="Thread actions" excludeFromTabOrder={isInRow}>
          <Ellipsis />
        </IconButton>
      }
      actions={[
        ...(onFind
          ? [{ id: "find", label: "Find in thread", icon: <Search />, shortcut: "⌘F", onAction: onFind }]
          : []),
        { id: "rename", label: "Rename", icon: <Pencil />, onAction: () => onRename(thread) },
        {
          id: "pin",
          label: thread.pinned ? "Unpin" : "Pin",
          icon: thread.pinned ? <PinOff /> : <Pin />,
          onAction: () => onPin(thread),
        },
        {
          id: "archive",
          label: thread.archived ? "Unarchive" : "Archive",
          icon: thread.archived ? <ArchiveRestore /> : <Archive />,
          onAction: () => onArchive(thread),
        },
        ...(onMove ? [{ id: "move", label: "Move", icon: <FolderInput />, onAction: () => onMove(thread) }] : []),
        { id: "share", label: "Share", icon: <Share2 />, onAction: () => onShare(thread) },
        {
          id: "json",
          label: "Export JSON",
          icon: <Download />,
          href: exportThreadUrl(thread.id, "json"),
          startsGroup: true,
        },
        { id: "md", label: "Export Markdown", icon: <Download />, href: exportThreadUrl(thread.id, "md") },
        {
          id: "delete",
          label: "Delete",
          icon: <Trash2 />,
          isDanger: true,
          startsGroup: true,
          onAction: () => onDelete(thread),
        },
      ]}
    />
  );
}
