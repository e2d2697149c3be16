"use client";
import { useMutation } from "@tanstack/react-query";
import { showToast } from "@/components/ui/toast";
import type { ThreadRun } from "@/lib/client/chat/use-thread-run";
import { errorMessage } from "@/lib/client/ui/api";

/** Asks the thread's run to stop, once. `isStopping` from then until it has ended, or could not be asked. */
export function useStop({ stop }: Pick<ThreadRun, "stop">, openRunId: string | null) {
  const asking = useMutation({
    mutationFn: stop,
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
  });
  const isStopping = asking.isPending || (openRunId !== null && asking.data === openRunId);
  return { isStopping, stop: () => (isStopping ? undefined : asking.mutate()) };
}
