"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useRef } from "react";
import { Mark } from "@/components/ui/mark";
import { StateRing } from "@/components/ui/state-ring";
import { Step } from "@/components/ui/step";
import type { ChatMessage } from "@/lib/client/chat-message";
import { useFollow } from "@/lib/client/use-follow";
import { MessageView } from "./message-view";

/** Also what is drawn before the first measurement. */
const ASSUMED_RECT = { width: 776, height: 900 };

export interface TranscriptProps {
  messages: readonly ChatMessage[];
  userName: string;
  isRunning: boolean;
  onGoOn: ((runId: string) => void) | null;
}

/** Only what is in sight is mounted; it sticks to the end until somebody scrolls up. */
export function Transcript({ messages, userName, isRunning, onGoOn }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (messages[index]?.role === "user" ? 80 : 320),
    getItemKey: (index) => messages[index]?.id ?? index,
    overscan: 4,
    initialRect: ASSUMED_RECT,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
  const { isFollowing, isLong, follow, onScroll } = useFollow(scroller, virtualizer.getTotalSize());
  const items = virtualizer.getVirtualItems();
  const last = messages.at(-1);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label="Transcript"
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
        {...{ tabIndex: 0 }}
      >
        <div className="mx-auto w-full max-w-[776px] px-6 pt-6 pb-3 max-sm:px-4">
          <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
            <div className="absolute inset-x-0 top-0" style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
              {items.map((item) => {
                const message = messages[item.index];
                if (message === undefined) return null;
                return (
                  <div key={item.key} data-index={item.index} ref={virtualizer.measureElement}>
                    <MessageView
                      message={message}
                      userName={userName}
                      isLive={isRunning && message === last && message.role === "assistant"}
                      isLatest={message === last}
                      onGoOn={onGoOn}
                    />
                  </div>
                );
              })}
            </div>
          </div>
          {isRunning && last?.role === "user" ? <Starting /> : null}
        </div>
      </section>
      {isLong ? <FollowButton isRunning={isRunning} isFollowing={isFollowing} onFollow={follow} /> : null}
    </div>
  );
}

function Starting() {
  return (
    <Step isLast glyph={<StateRing status="running" size={15} labelled />}>
      <p className="flex items-center gap-2 text-sm leading-6 text-muted">
        <Mark size={14} /> Starting
      </p>
    </Step>
  );
}

interface FollowButtonProps {
  isRunning: boolean;
  isFollowing: boolean;
  onFollow: () => void;
}

/** While following, it only says so; it leads back to the end after scrolling up. */
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
