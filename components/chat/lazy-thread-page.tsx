"use client";
import dynamic from "next/dynamic";
import { type ComponentProps, use, useLayoutEffect } from "react";
import { toChatMessages } from "@/lib/client/chat/chat-message";
import { firstDrawn } from "@/lib/client/chat/row-heights";
import { loadInPieces } from "@/lib/client/http/load-in-pieces";
import { keepEarlyPress } from "@/lib/client/ui/input/early-press";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { ThreadEnd } from "./thread-end";
import { ThreadSkeleton } from "./thread-skeleton";

/** The server renders it at once; a browser evaluates its code in pieces, none of which delays a key press. */
export const LazyThreadPage = dynamic(
  async () => {
    const pressAgain = typeof window === "undefined" ? null : keepEarlyPress();
    const [{ readAhead, forgetRead }, { ThreadPage }] = await loadInPieces(
      [
        // The library of schemas with the smallest of them, then those of runs: both at once take a tenth of a second.
        () => import("@/lib/schema/messages/tool-part-output"),
        () => import("@/lib/schema/threads/thread-stream"),
        () => import("@/lib/client/chat/run-stream"),
        () => import("@/lib/client/chat/transcript-steps"),
        () => import("@/lib/client/ui/markdown/markdown"),
        () => import("@/components/ui/markdown/markdown"),
        () => import("./composer/composer"),
        () => import("./transcript/message-view"),
        () => import("./transcript/transcript"),
      ],
      // Named last: the page itself asks for the scripts of the last import in here, and they do not wait for each other.
      () => Promise.all([import("@/lib/client/ui/markdown/read-ahead"), import("./thread-page")]),
    );
    let first: { readonly detail: ThreadDetail; readonly read: Promise<void> } | null = null;
    /** The first thread of a page waits until what one sees of it is read; the next ones come at once. */
    const readBefore = (detail: ThreadDetail) => {
      if (typeof window === "undefined") return null;
      first ??= { detail, read: readAhead(newestTexts(detail)) };
      return first.detail === detail ? first.read : null;
    };
    return function PressedThreadPage(props: ComponentProps<typeof ThreadPage>) {
      const read = readBefore(props.initialDetail);
      if (read !== null) use(read);
      useLayoutEffect(() => {
        forgetRead();
        pressAgain?.();
      }, []);
      return (
        <>
          <ThreadPage {...props} />
          <ThreadEnd />
        </>
      );
    };
  },
  { loading: ThreadSkeleton },
);

/** The newest first. */
function newestTexts({ messages }: ThreadDetail): readonly string[] {
  return firstDrawn(toChatMessages(messages))
    .filter(({ role }) => role === "assistant")
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
    .reverse();
}
