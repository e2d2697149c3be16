"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { use } from "react";
import { BranchContext } from "@/components/chat/transcript/branches/branch-context";
import { Button } from "@/components/ui/controls/button";
import { errorMessage } from "@/lib/client/http/api";
import { refreshUndone, takeBackUndo } from "@/lib/client/trace/undo/undo-queries";
import { formatExact } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import type { DataParts } from "@/lib/schema/messages/ui-message";

export interface UndoLineProps {
  undo: DataParts["undo"];
  /** The undo holds: it was not taken back. */
  isInForce: boolean;
}

/** Who undid a run, what came back and what could not; and the way back. */
export function UndoLine({ undo: { runId, by, text, atMs }, isInForce }: UndoLineProps) {
  const thread = use(BranchContext);
  const queryClient = useQueryClient();
  const run = { runId, threadId: thread?.id ?? "" };
  const takeBack = useMutation({
    mutationFn: () => takeBackUndo(run),
    onSuccess: () => refreshUndone(queryClient, run),
    onError: (error) => showToast({ title: errorMessage(error), tone: "error" }),
  });
  return (
    <aside
      aria-label="Undo"
      className="my-1 flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-border bg-surface px-3 py-1.5 text-sm"
    >
      <Undo2 className="size-3.5 shrink-0 text-subtle" aria-hidden />
      <p className="min-w-0 flex-1 break-words max-sm:basis-3/4">
        <span className="font-medium">{by}</span> {text}
        <span className="tnum ml-2 text-xs text-muted">{formatExact(atMs)}</span>
      </p>
      {thread !== null && isInForce ? (
        <Button isPending={takeBack.isPending} onPress={() => takeBack.mutate()}>
          Take back
        </Button>
      ) : null}
    </aside>
  );
}
