"use client";
import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { WIDE } from "@/lib/client/ui/wide";
import { awaitPage, takeAwaited } from "./awaited-pages";
import type { OpenFile } from "./file-opener";

const PARAMETER = "file";

export interface ShownFile {
  /** Null while none is shown. */
  readonly path: string | null;
  /** The line to scroll to, if one was requested. */
  readonly line: number | null;
  readonly open: OpenFile;
  readonly close: () => void;
}

/** Pages that opened automatically; a closed one does not reopen. */
const opened = new Set<string>();

/**
 * The file shown beside a thread; the page's URL names it. A page that a run writes opens automatically, once, if there
 * is room: while the run is watched, or if it was started here and ended before the thread was shown. It takes the place
 * of one that opened automatically, never of one that the person opened.
 */
export function useShownFile(threadId: string, messages: readonly ChatMessage[], isRunning: boolean): ShownFile {
  const path = useSearchParams().get(PARAMETER);
  const [line, setLine] = useState<number | null>(null);
  /** The shown page, if no person has opened it. */
  const openedPath = useRef<string | null>(null);
  const open = useCallback<OpenFile>((next, at) => {
    openedPath.current = null;
    setLine(at ?? null);
    showInAddress(next);
  }, []);
  const close = useCallback(() => showInAddress(null), []);
  const written = useWrittenPage(threadId, messages, isRunning);
  useEffect(() => {
    const isChosen = path !== null && path !== openedPath.current;
    if (written === null || isChosen || !window.matchMedia(WIDE).matches) return;
    const key = `${threadId} ${written}`;
    if (opened.has(key)) return;
    opened.add(key);
    open(written);
    openedPath.current = written;
  }, [threadId, written, path, open]);
  return { path, line, open, close };
}

function showInAddress(path: string | null): void {
  const url = new URL(window.location.href);
  if (path === null) url.searchParams.delete(PARAMETER);
  else url.searchParams.set(PARAMETER, path);
  window.history.replaceState(null, "", url);
}

/** The newest page that a run has written since this page began to watch or await it; null if none. */
function useWrittenPage(threadId: string, messages: readonly ChatMessage[], isRunning: boolean): string | null {
  const wasRunning = useRef(false);
  const [watched, setWatched] = useState<string | null>(null);
  const last = messages.at(-1);
  const replyId = last?.role === "assistant" ? last.id : null;
  useEffect(() => {
    if (replyId !== null && (takeAwaited(threadId) || isRunning || wasRunning.current)) setWatched(replyId);
    wasRunning.current = isRunning;
  }, [threadId, replyId, isRunning]);
  useEffect(
    () => () => {
      if (wasRunning.current) awaitPage(threadId);
    },
    [threadId],
  );
  return last !== undefined && last.id === watched ? pageWrittenIn(last) : null;
}

const PAGE = /\.html?$/iu;

/** The page written by the last call that wrote one. */
function pageWrittenIn({ parts }: ChatMessage): string | null {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part?.type !== "dynamic-tool" || part.state !== "output-available") continue;
    const { display } = (part.output ?? {}) as { display?: { kind?: unknown; path?: unknown } };
    if (display?.kind === "file-change" && typeof display.path === "string" && PAGE.test(display.path)) {
      return display.path;
    }
  }
  return null;
}
