"use client";
import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { type FoundMatch, findMatches } from "@/lib/client/chat/find/find-matches";
import { useMarks } from "@/lib/client/chat/find/use-marks";
import type { EarlierMessages } from "@/lib/client/chat/use-earlier-messages";
import { onEscape } from "@/lib/client/ui/input/on-escape";

interface FindBarProps {
  messages: readonly ChatMessage[];
  /** Earlier messages are loaded, so that the whole thread is searched. */
  earlier: Pick<EarlierMessages, "state" | "fetchAhead" | "load">;
  scroller: RefObject<HTMLElement | null>;
  /** Mounts the message at this index. */
  onShow: (index: number) => void;
  onClose: () => void;
}

/** Finds words in the thread, including messages that are not mounted or not loaded yet. Enter moves to the next. */
export function FindBar({ messages, earlier, scroller, onShow, onClose }: FindBarProps) {
  const [words, setWords] = useState("");
  const [current, setCurrent] = useState<FoundMatch | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const matches = useMemo(() => findMatches(messages, words), [messages, words]);
  const at = Math.max(0, current === null ? 0 : matches.findIndex((match) => isSame(match, current)));
  const shown = matches[at];
  useReturningFocus(field);
  useWholeThread(earlier, words !== "");
  useMarks({
    scroller,
    words,
    place: shown === undefined ? null : { key: shown.messageId, nth: shown.nth },
    indexOf: (key) => messages.findIndex(({ id }) => id === key),
    onShow,
  });
  const go = (by: number) => {
    const next = matches[(at + by + matches.length) % matches.length];
    if (next) setCurrent({ ...next });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    onEscape(onClose)(event);
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    go(event.shiftKey ? -1 : 1);
  };
  return (
    // On a phone above the transcript, where it would cover the first message.
    <search className="absolute top-2 right-3 z-2 flex max-w-[calc(100%-1.5rem)] items-center gap-1 rounded-lg border border-border bg-overlay p-1 shadow-overlay max-sm:static max-sm:order-first max-sm:mx-3 max-sm:my-2 max-sm:max-w-none max-sm:shadow-none">
      <input
        ref={field}
        type="search"
        aria-label="Find in thread"
        placeholder="Find in thread"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setCurrent(null);
        }}
        onKeyDown={onKeyDown}
        className="h-7 w-52 min-w-0 rounded-md max-sm:flex-1 bg-field px-2 text-sm touch-row outline-none focus-visible:ring-1 focus-visible:ring-focus [&::-webkit-search-cancel-button]:hidden"
      />
      <span role="status" className="tnum min-w-14 px-1 text-xs text-muted">
        {countText(matches.length, at, words, earlier.state)}
      </span>
      {earlier.state === "failed" ? (
        <button type="button" className="shrink-0 px-1 text-xs text-link hover:underline" onClick={earlier.load}>
          Load the rest
        </button>
      ) : null}
      <IconButton
        label="Previous match"
        shortcut="Shift Enter"
        isDisabled={matches.length === 0}
        onPress={() => go(-1)}
      >
        <ArrowUp />
      </IconButton>
      <IconButton label="Next match" shortcut="Enter" isDisabled={matches.length === 0} onPress={() => go(1)}>
        <ArrowDown />
      </IconButton>
      <IconButton label="Close find" shortcut="Esc" onPress={onClose}>
        <X />
      </IconButton>
    </search>
  );
}

function isSame(left: FoundMatch, right: FoundMatch): boolean {
  return left.messageId === right.messageId && left.nth === right.nth;
}

function countText(count: number, at: number, words: string, state: EarlierMessages["state"]): string {
  if (words.trim() === "") return "";
  const isAll = state === "none" || state === "all";
  if (count === 0) return isAll ? "Nothing found" : state === "failed" ? "Not all loaded" : "Searching";
  return `${at + 1} of ${count}${isAll ? "" : " so far"}`;
}

/** The field has the focus while it is open; then the focus returns to where it was. */
function useReturningFocus(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [field]);
}

/** Loads one page after another once there is something to find. */
function useWholeThread({ state, fetchAhead }: FindBarProps["earlier"], isWanted: boolean): void {
  useEffect(() => {
    if (isWanted && state === "more") fetchAhead();
  }, [isWanted, state, fetchAhead]);
}
