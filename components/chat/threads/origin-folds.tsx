"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/controls/button";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { threadListQuery } from "@/lib/client/chat/thread-queries";
import { errorMessage } from "@/lib/client/http/api";
import { TRIGGER_LABELS } from "@/lib/client/triggers/trigger-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { useRemembered } from "@/lib/client/ui/use-remembered";
import type { ThreadListItem, ThreadOrigin, ThreadOriginGroup } from "@/lib/schema/threads/thread";

const FOLDS: readonly { readonly origin: ThreadOrigin; readonly name: string }[] = [
  { origin: "schedule", name: TRIGGER_LABELS.schedule.plural },
  { origin: "heartbeat", name: TRIGGER_LABELS.heartbeat.plural },
  { origin: "board", name: "Boards" },
  { origin: "webhook", name: TRIGGER_LABELS.webhook.plural },
  { origin: "draft", name: "Drafts" },
];

const Opened = {
  safeParse: (value: unknown) => {
    const isKeys = Array.isArray(value) && value.every((key) => typeof key === "string");
    return { data: isKeys ? value : undefined };
  },
};

export interface OriginFoldsProps {
  groups: readonly ThreadOriginGroup[];
  currentId: string | null;
  onNavigate?: (() => void) | undefined;
}

/** What others than the person started, folded by kind and by what started it; the tab keeps what was opened. */
export function OriginFolds({ groups, currentId, onNavigate }: OriginFoldsProps) {
  const kept = useRemembered("thread-origins", Opened);
  const opened = kept.value ?? [];
  const toggle = (key: string) =>
    kept.set(opened.includes(key) ? opened.filter((other) => other !== key) : [...opened, key]);
  return FOLDS.map(({ origin, name }) => {
    const own = groups.filter((group) => group.origin === origin);
    if (own.length === 0) return null;
    const isOpen = opened.includes(origin);
    return (
      <section key={origin} className="shrink-0 border-t border-border">
        <h3>
          <Fold
            name={name}
            count={own.reduce((sum, { threads }) => sum + threads, 0)}
            isOpen={isOpen}
            onToggle={() => toggle(origin)}
            className="px-4"
          />
        </h3>
        {isOpen ? (
          <ul aria-label={name} className="max-h-64 overflow-y-auto px-2 pb-2">
            {own.map((group) => (
              <Group
                key={keyOf(group)}
                group={group}
                isOpen={opened.includes(keyOf(group))}
                onToggle={() => toggle(keyOf(group))}
                currentId={currentId}
                onNavigate={onNavigate}
              />
            ))}
          </ul>
        ) : null}
      </section>
    );
  });
}

function keyOf({ origin, triggerId }: ThreadOriginGroup): string {
  return `${origin} ${triggerId ?? ""}`;
}

interface FoldProps {
  name: string;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  className?: string;
}

function Fold({ name, count, isOpen, onToggle, className }: FoldProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className={classNames(
        "flex h-7 w-full items-center gap-2 text-left text-xs text-muted -outline-offset-2 touch-row hover:text-foreground",
        className,
      )}
    >
      <ChevronRight className={classNames("size-3.5 shrink-0", isOpen && "rotate-90")} aria-hidden />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <span className="tnum">{count}</span>
    </button>
  );
}

interface GroupProps extends Pick<OriginFoldsProps, "currentId" | "onNavigate"> {
  group: ThreadOriginGroup;
  isOpen: boolean;
  onToggle: () => void;
}

function Group({ group, isOpen, onToggle, currentId, onNavigate }: GroupProps) {
  return (
    <li>
      <Fold name={group.title} count={group.threads} isOpen={isOpen} onToggle={onToggle} className="rounded-md px-2" />
      {isOpen ? <GroupThreads group={group} currentId={currentId} onNavigate={onNavigate} /> : null}
    </li>
  );
}

function GroupThreads({
  group: { origin, triggerId, title },
  currentId,
  onNavigate,
}: Omit<GroupProps, "isOpen" | "onToggle">) {
  const list = useInfiniteQuery(
    threadListQuery({ q: "", archived: false, origin, ...(triggerId === null ? {} : { triggerId }) }),
  );
  const threads = list.data?.pages.flatMap((page) => page.threads) ?? [];
  if (list.isError && threads.length === 0) {
    return (
      <p className="px-2 py-1 text-xs text-muted">
        {errorMessage(list.error)}{" "}
        <Button variant="ghost" onPress={() => void list.refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  return (
    <>
      <ul aria-label={title}>
        {threads.map((thread) => (
          <Row
            key={thread.id}
            thread={thread}
            groupTitle={title}
            isHere={thread.id === currentId}
            onNavigate={onNavigate}
          />
        ))}
      </ul>
      {list.hasNextPage ? (
        <Button
          variant="ghost"
          className="w-full"
          isPending={list.isFetchingNextPage}
          onPress={() => void list.fetchNextPage()}
        >
          Load more
        </Button>
      ) : null}
    </>
  );
}

interface RowProps extends Pick<OriginFoldsProps, "onNavigate"> {
  thread: ThreadListItem;
  groupTitle: string;
  isHere: boolean;
}

/** Threads named like what started them differ by their time. */
function Row({ thread: { id, title, status, activeRunId, updatedAt }, groupTitle, isHere, onNavigate }: RowProps) {
  const state = activeRunId !== null && status !== "waiting" ? "running" : status;
  return (
    <li>
      <Link
        href={`/threads/${id}`}
        onClick={onNavigate}
        aria-current={isHere ? "page" : undefined}
        className={classNames(
          "flex min-h-7 items-center gap-2 rounded-md py-1 pr-2 pl-4 text-xs touch-row hover:bg-default",
          isHere && "bg-surface-tertiary font-medium",
        )}
      >
        <span className="flex w-3.5 shrink-0 items-center">
          {state === null || state === "completed" ? null : <StateRing status={state} size={12} labelled />}
        </span>
        <span className="min-w-0 flex-1 truncate">
          {title === null || title === groupTitle ? <Time at={updatedAt} /> : title}
        </span>
        {title === null || title === groupTitle ? null : <Time at={updatedAt} className="tnum text-muted" />}
      </Link>
    </li>
  );
}
