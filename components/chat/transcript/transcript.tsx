"use client";
import { observeElementOffset, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from "react";
import { EarlierLine } from "@/components/chat/transcript/lines/earlier-line";
import { StateRing } from "@/components/ui/states/state-ring";
import { Step } from "@/components/ui/states/step";
import { type ChatMessage, hasMessage } from "@/lib/client/chat/chat-message";
import type { Find } from "@/lib/client/chat/find/use-find";
import { ASSUMED_RECT, OVERSCAN, roughHeight } from "@/lib/client/chat/row-heights";
import type { EarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { isInTextField, useWayToStart } from "@/lib/client/chat/use-way-to-start";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { formatCount } from "@/lib/client/ui/text/format";
import { isScrolledTo, useFollow } from "@/lib/client/ui/use-follow";
import { MessageView, type MessageViewProps } from "./message-view";

const FindBar = lazy(async () => ({ default: (await loadWithRetry(() => import("./find/find-bar"))).FindBar }));

/** The server-rendered page is scrolled to its end before any script runs, in browsers that support this. */
const STARTS_HERE = "[scroll-initial-target:nearest]";
/** Closer to the first message than this, earlier ones are fetched: about five screens ahead of the reader. */
const FETCH_AHEAD_PX = 5000;

export interface TranscriptProps {
  messages: readonly ChatMessage[];
  /** The message to open at, if a search found it. */
  openAt?: string | null;
  /** The messages before `messages`; once loaded, `messages` begins with them. */
  earlier: Omit<EarlierMessages, "messages">;
  userName: string;
  /** The model reads no more of one message. */
  maxMessageChars?: number;
  isRunning: boolean;
  /** The last message is answered once another branch's run has ended. */
  waitsElsewhere?: boolean;
  onNextStep: MessageViewProps["onNextStep"];
  /** Above a message: what has changed since the previous one. */
  between?: (message: ChatMessage, previous: ChatMessage | undefined) => ReactNode;
  /** Searching the thread, if the page offers it. */
  find?: Pick<Find, "isOpen" | "close">;
  /** Below the last message: `count` messages that could not be sent. */
  unsent: { readonly count: number; readonly messages: ReactNode };
}

/** Only what is visible is mounted; the view stays at the end until the reader scrolls up. */
export function Transcript(props: TranscriptProps) {
  const {
    messages,
    earlier,
    userName,
    maxMessageChars,
    isRunning,
    onNextStep,
    between,
    unsent,
    openAt = null,
    find,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  // Stable as long as the messages are: a new function makes the virtualizer measure everything again.
  const getItemKey = useCallback((index: number) => messages[index]?.id ?? index, [messages]);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => roughHeight(messages[index]),
    getItemKey,
    // Visible content stays visible when earlier messages are inserted above it.
    anchorTo: "end",
    overscan: OVERSCAN,
    initialRect: ASSUMED_RECT,
    initialOffset: Number.MAX_SAFE_INTEGER,
    observeElementOffset: observeFromHere,
  });
  const { isFollowing, isLong, follow, release, onScroll } = useFollow(
    scroller,
    virtualizer.getTotalSize() + unsent.count,
  );
  const isNearStart = (virtualizer.scrollOffset ?? Number.POSITIVE_INFINITY) < FETCH_AHEAD_PX;
  const { fetchAhead } = earlier;
  useEffect(() => {
    if (isNearStart) fetchAhead();
  }, [isNearStart, fetchAhead]);
  const open = useCallback(
    (index: number) => {
      release();
      virtualizer.scrollToIndex(index, { align: "start" });
    },
    [release, virtualizer],
  );
  useOpenAt(props, open);
  const arrive = useCallback(() => {
    release();
    scroller.current?.scrollTo({ top: 0 });
  }, [release]);
  const way = useWayToStart(earlier, arrive);
  const onKeyDown = (event: KeyboardEvent) => {
    way.onKeyDown(event);
    if (event.key !== "End" || isInTextField(event.target)) return;
    // The browser would stop at the end that it knows; messages on the way there are still to be measured.
    event.preventDefault();
    follow();
  };
  const items = virtualizer.getVirtualItems();
  const last = messages.at(-1);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Transcript"
        onScroll={onScroll}
        onKeyDown={onKeyDown}
        onWheel={way.end}
        onPointerDown={way.end}
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
        {...{ tabIndex: 0 }}
      >
        <div className="mx-auto w-full max-w-[776px] px-6 pt-6 pb-3 max-sm:px-4">
          <EarlierLine {...earlier} />
          {/* In the page's own flow, so that nothing moves when estimated heights are replaced by measured ones. */}
          <div style={{ paddingTop: items[0]?.start, paddingBottom: virtualizer.getTotalSize() - endOf(items) }}>
            {items.map((item) => {
              const message = messages[item.index];
              if (message === undefined) return null;
              return (
                <div
                  key={item.key}
                  data-index={item.index}
                  ref={virtualizer.measureElement}
                  className={hasMessage(message, openAt) ? "-mx-3 rounded-lg bg-selection/40 px-3 pt-2" : undefined}
                >
                  {hasMessage(message, openAt) ? <span className="sr-only">Found by the search:</span> : null}
                  {between?.(message, messages[item.index - 1])}
                  <MessageView
                    message={message}
                    userName={userName}
                    maxChars={maxMessageChars}
                    isLive={isRunning && message === last && message.role === "assistant"}
                    isLatest={message === last}
                    onNextStep={onNextStep}
                  />
                </div>
              );
            })}
          </div>
          {isRunning && last?.role === "user" ? <Starting waits={props.waitsElsewhere === true} /> : null}
          {unsent.messages}
          <div className={STARTS_HERE} />
        </div>
      </section>
      {way.isOnWay ? <OnTheWay count={earlier.count} /> : null}
      {find?.isOpen ? (
        <Suspense>
          <FindBar messages={messages} earlier={earlier} scroller={scroller} onShow={open} onClose={find.close} />
        </Suspense>
      ) : null}
      {isLong ? <FollowButton isRunning={isRunning} isFollowing={isFollowing} onFollow={follow} /> : null}
    </div>
  );
}

/** Opens once at the message that a search found, and loads earlier ones until it is there. */
function useOpenAt({ openAt = null, messages, earlier }: TranscriptProps, open: (index: number) => void): void {
  const { state, fetchAhead } = earlier;
  const index = openAt === null ? -1 : messages.findIndex((message) => hasMessage(message, openAt));
  const opened = useRef<string | null>(null);
  useEffect(() => {
    if (openAt === null || opened.current === openAt) return;
    if (index === -1) {
      if (state === "more") fetchAhead();
      return;
    }
    opened.current = openAt;
    open(index);
  }, [openAt, index, state, fetchAhead, open]);
}

/** Starts from the position to which the reader scrolled before any script ran. */
const observeFromHere: typeof observeElementOffset = (virtualizer, onOffset) => {
  const stop = observeElementOffset(virtualizer, onOffset);
  const scroller = virtualizer.scrollElement;
  if (scroller instanceof HTMLElement && isScrolledTo(scroller)) onOffset(scroller.scrollTop, false);
  return stop;
};

function endOf(items: readonly VirtualItem[]): number {
  return items.at(-1)?.end ?? 0;
}

function Starting({ waits }: { waits: boolean }) {
  return (
    <Step isLast glyph={<StateRing status={waits ? "queued" : "running"} size={15} labelled />}>
      <p className="text-sm leading-6 text-muted">
        {waits ? "Queued: another version is being answered first." : "Starting"}
      </p>
    </Step>
  );
}

/** Any scrolling ends it. */
function OnTheWay({ count }: { count: number }) {
  return (
    <p
      role="status"
      className="tnum absolute top-2 left-1/2 flex h-7 -translate-x-1/2 items-center rounded-full border border-border bg-overlay px-3 text-xs whitespace-nowrap text-muted shadow-overlay"
    >
      {count === 0 ? "Loading earlier messages" : `Loading earlier messages, ${formatCount(count)} so far`}
    </p>
  );
}

interface FollowButtonProps {
  isRunning: boolean;
  isFollowing: boolean;
  onFollow: () => void;
}

/** A label while following; after scrolling up, a button back to the end. */
function FollowButton({ isRunning, isFollowing, onFollow }: FollowButtonProps) {
  if (isFollowing && !isRunning) return null;
  return (
    <button
      type="button"
      onClick={onFollow}
      className="absolute bottom-2 left-1/2 flex h-7 -translate-x-1/2 items-center gap-1.5 rounded-full border border-border bg-overlay px-3 text-xs text-muted shadow-overlay touch-row hover:text-foreground"
    >
      <ArrowDown className="size-3.5" aria-hidden />
      {isFollowing ? "Following" : "To the end"}
    </button>
  );
}
