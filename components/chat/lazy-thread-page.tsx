"use client";
import dynamic from "next/dynamic";
import { type ComponentProps, useLayoutEffect } from "react";
import { loadInPieces } from "@/lib/client/http/load-in-pieces";
import { keepEarlyPress } from "@/lib/client/ui/input/early-press";
import { ThreadEnd } from "./thread-end";
import { ThreadSkeleton } from "./thread-skeleton";

/** The server renders it at once; a browser evaluates its code in pieces, none of which delays a key press. */
export const LazyThreadPage = dynamic(
  async () => {
    const pressAgain = typeof window === "undefined" ? null : keepEarlyPress();
    const { ThreadPage } = await loadInPieces(
      [
        () => import("@/lib/schema/threads/thread-stream"),
        () => import("@/lib/client/chat/run-stream"),
        () => import("@/lib/client/chat/transcript-steps"),
        () => import("@/lib/client/ui/markdown/markdown"),
        () => import("@/components/ui/markdown/markdown"),
        () => import("./composer/composer"),
        () => import("./transcript/message-view"),
      ],
      () => import("./thread-page"),
    );
    return function PressedThreadPage(props: ComponentProps<typeof ThreadPage>) {
      useLayoutEffect(() => pressAgain?.(), []);
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
