"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { errorMessage } from "@/lib/client/http/api";
import { THREADS_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { deleteThread, restoreThread, updateThread } from "./thread-actions";

/** The actions of a thread's menu; a deleted thread can be restored while its notice is open. */
export function useThreadActions(currentId: string | null) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const refresh = () => queryClient.invalidateQueries({ queryKey: THREADS_KEY });
  const attempt = async (work: Promise<unknown>, onDone?: () => void) => {
    try {
      await work;
      onDone?.();
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await refresh();
  };
  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((other) => other !== id)));
  return {
    hidden,
    /** Rejects if the server refuses. */
    rename: async (thread: ThreadSummary, title: string) => {
      await updateThread(thread.id, { title });
      await refresh();
    },
    pin: (thread: ThreadSummary) => void attempt(updateThread(thread.id, { pinned: !thread.pinned })),
    archive: (thread: ThreadSummary) =>
      void attempt(updateThread(thread.id, { archived: !thread.archived }), () =>
        showToast({
          title: thread.archived ? "Unarchived" : "Archived",
          onUndo: () => void attempt(updateThread(thread.id, { archived: thread.archived })),
        }),
      ),
    remove: (thread: ThreadSummary) => {
      setHidden((ids) => new Set([...ids, thread.id]));
      void attempt(deleteThread(thread.id), () => {
        // Not earlier: a thread that could not be deleted is still what the page shows.
        if (thread.id === currentId) router.push("/");
        showToast({
          title: `Deleted “${thread.title ?? "New thread"}”`,
          onUndo: () =>
            void attempt(restoreThread(thread.id), () => {
              if (thread.id === currentId) router.push(`/threads/${thread.id}`);
            }),
        });
      }).then(() => show(thread.id));
    },
  };
}
