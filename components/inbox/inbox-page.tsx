"use client";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { Page } from "@/components/shell/page";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Kbd } from "@/components/ui/kbd";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { inboxQuery } from "@/lib/client/chat/asks/decisions";
import { callKey, type Decisions, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import { summarizeError } from "@/lib/client/http/error-summary";
import { NOTES_KEY } from "@/lib/client/http/query-keys";
import { markNote, notesQuery } from "@/lib/client/inbox/inbox-queries";
import { useOpenItem } from "@/lib/client/inbox/use-open-item";
import { classNames } from "@/lib/client/ui/class-names";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import { usePageTitle } from "@/lib/client/ui/use-page-title";
import type { InboxNote } from "@/lib/schema/inbox/inbox-note";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { GoneAsk, OpenAsk } from "./ask-detail";
import type { DetailPlace } from "./inbox-detail";
import { InboxHead } from "./inbox-head";
import { InboxList } from "./inbox-list";
import { NothingNeedsYou } from "./nothing-needs-you";
import { OpenNote } from "./open-note";

const INBOX_KEYS = [
  { keys: "j k", does: "Next, previous" },
  { keys: "y", does: "Allow once" },
  { keys: "n", does: "Deny" },
  { keys: "o", does: "Open the thread, or the page of what you should know" },
  { keys: "e", does: "Mark what you should know as done" },
] as const;

/** All asks that wait for the viewer, decided right here or in their threads, and what they should know of. */
export function InboxPage() {
  const inbox = useInfiniteQuery(inboxQuery);
  const known = useQuery(notesQuery);
  const approvals = useMemo(() => inbox.data?.pages.flatMap((page) => page.approvals) ?? [], [inbox.data]);
  const total = inbox.data?.pages.at(-1)?.total ?? 0;
  const notes = known.data?.notes ?? [];
  const error = inbox.error ?? known.error;
  usePageTitle("Inbox", false, total);
  usePageKeys(INBOX_KEYS);
  return (
    <Page>
      <InboxHead />
      {inbox.data && error ? (
        <p role="alert" className="bg-fail-soft px-6 py-1.5 text-xs text-fail-text max-sm:px-3">
          Not refreshed: {summarizeError(error).message}
        </p>
      ) : null}
      {inbox.data ? null : <QueryState what="inbox" query={inbox} rows={6} />}
      <Items
        approvals={approvals}
        notes={inbox.data ? notes : []}
        isKnown={inbox.data !== undefined && known.data !== undefined}
        totals={{ approvals: total, notes: known.data?.total ?? 0 }}
        more={<ShowMore query={inbox} label={`Show more: ${total - approvals.length} left`} className="px-4 py-2" />}
      />
    </Page>
  );
}

interface ItemsProps {
  approvals: readonly Approval[];
  notes: readonly InboxNote[];
  totals: { readonly approvals: number; readonly notes: number };
  /** False until it is known what waits. */
  isKnown: boolean;
  more: ReactNode;
}

/** Stays mounted when the last item is decided, so that this is still read aloud. */
function Items({ approvals, notes, totals, isKnown, more }: ItemsProps) {
  const { viewer } = useShell();
  const item = useOpenItem(approvals, notes);
  const { ids, openId, open, step, ask, goneAsk, note, decide, leave } = item;
  const [isDetailShown, setDetailShown] = useState(false);
  const firstCall = ask ? callKey(ask.runId, ask.toolCallId) : null;
  const decisions = useMemo<Decisions>(() => ({ decide, firstCall, asked: approvals }), [decide, firstCall, approvals]);
  const markDone = useMarkDone();
  useItemKeys(item, markDone);
  const place = {
    position: openId === null ? 0 : ids.indexOf(openId) + 1,
    count: ids.length,
    onStep: step,
    onBack: () => {
      setDetailShown(false);
      leave();
    },
  };
  const show = (id: string) => {
    open(id);
    setDetailShown(true);
  };
  return (
    <DecisionsProvider value={viewer.scopes.includes("chat") ? decisions : null}>
      {openId === null && isKnown ? <NothingNeedsYou /> : null}
      {openId === null ? null : (
        <div className="flex min-h-0 flex-1">
          <div
            className={classNames(
              "flex min-h-0 w-[424px] shrink-0 flex-col border-r border-border max-lg:w-full max-lg:border-r-0",
              isDetailShown && "max-lg:hidden",
            )}
          >
            <div className="min-h-0 flex-1 overflow-y-auto">
              <InboxList {...{ approvals, notes, totals, openId, more }} onOpen={show} />
              {ids.length === 0 ? <NothingElse /> : null}
            </div>
            <KeyHints />
          </div>
          <section
            aria-label="Open item"
            className={classNames("flex min-h-0 min-w-0 flex-1 flex-col", !isDetailShown && "max-lg:hidden")}
          >
            <OpenItem {...{ ask, goneAsk, note, place }} onDone={markDone} />
          </section>
        </div>
      )}
      <p role="status" className="sr-only">
        {statusText(item, totals.approvals)}
      </p>
    </DecisionsProvider>
  );
}

/** Next to an ask that was decided elsewhere; a small screen shows the list alone. */
function NothingElse() {
  return (
    <>
      <p className="px-4 py-2.5 text-sm text-muted max-lg:hidden">Nothing else is waiting for you.</p>
      <div className="h-full lg:hidden">
        <NothingNeedsYou />
      </div>
    </>
  );
}

interface OpenItemProps extends Pick<ReturnType<typeof useOpenItem>, "ask" | "goneAsk" | "note"> {
  place: DetailPlace;
  onDone: (note: InboxNote) => void;
}

function OpenItem({ ask, goneAsk, note, place, onDone }: OpenItemProps) {
  if (ask) return <OpenAsk key={ask.id} ask={ask} place={place} />;
  if (goneAsk) return <GoneAsk key={goneAsk.id} ask={goneAsk} place={place} />;
  return note ? <OpenNote key={note.id} note={note} place={place} onDone={() => onDone(note)} /> : null;
}

function statusText({ goneAsk, hasDecided }: ReturnType<typeof useOpenItem>, left: number): string {
  if (goneAsk) return "The open ask was decided elsewhere.";
  if (!hasDecided) return "";
  return `Decided. ${left === 0 ? "Nothing else is" : `${left} more`} waiting for you.`;
}

function useItemKeys(item: ReturnType<typeof useOpenItem>, markDone: (note: InboxNote) => void): void {
  const { go } = useShell();
  const { ask, goneAsk, note, step } = item;
  const shownAsk = ask ?? goneAsk;
  useShortcuts({
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    j: () => step(1),
    k: () => step(-1),
    o: () => {
      if (shownAsk && shownAsk.ownerName === undefined) go(`/threads/${shownAsk.threadId}`);
      if (note) go(note.path);
    },
    e: () => note && markDone(note),
  });
}

/** Undo brings the note back. */
function useMarkDone(): (note: InboxNote) => void {
  const mark = useAction({
    mutationFn: ({ note, isDone }: { note: InboxNote; isDone: boolean }) => markNote(note.id, isDone),
    onSuccess: (_, { note, isDone }) => {
      if (isDone) showToast({ title: `Done: ${note.title}`, onUndo: () => mark.mutate({ note, isDone: false }) });
    },
    invalidates: [NOTES_KEY],
  });
  return (note) => mark.mutate({ note, isDone: true });
}

const HINTS = [
  { keys: ["j", "k"], does: "move" },
  { keys: ["y", "n"], does: "decide" },
  { keys: ["o"], does: "thread" },
  { keys: ["e"], does: "done" },
] as const;

function KeyHints() {
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 border-t border-border px-4 text-xs text-muted max-lg:hidden pointer-coarse:hidden">
      {HINTS.map(({ keys, does }) => (
        <span key={does} className="flex items-center gap-1">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
    </footer>
  );
}
