"use client";
import dynamic from "next/dynamic";
import { loadInPieces } from "@/lib/client/http/load-in-pieces";
import { ThreadSkeleton } from "./thread-skeleton";

/** The server renders it at once; a browser evaluates its code in pieces, none of which delays a key press. */
export const LazyThreadPage = dynamic(
  async () =>
    (
      await loadInPieces(
        [
          () => import("@/lib/client/chat/run-stream"),
          () => import("@/lib/client/chat/transcript-steps"),
          () => import("@/components/ui/markdown/markdown"),
          () => import("./composer/composer"),
          () => import("./transcript/message-view"),
        ],
        () => import("./thread-page"),
      )
    ).ThreadPage,
  { loading: ThreadSkeleton },
);
