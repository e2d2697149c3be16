"use client";
import { useQueryClient } from "@tanstack/react-query";
import { errorMessage } from "@/lib/client/http/api";
import { MEMORY_KEY } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { type BlameBlock, withoutLines } from "./blame-blocks";
import { memoryDocumentQuery, saveMemory } from "./memory-queries";

/** Removes saved lines at once; the toast can bring them back until somebody changes the document. */
export function useWithdraw(current: MemoryDetail) {
  const queryClient = useQueryClient();
  const keep = (saved: MemoryDetail) => {
    queryClient.setQueryData(memoryDocumentQuery(current.id).queryKey, saved);
    return queryClient.invalidateQueries({ queryKey: MEMORY_KEY });
  };
  const undo = (withdrawn: MemoryDetail) =>
    saveMemory(current.id, { content: current.content, version: withdrawn.version }).then(keep, (error: unknown) =>
      showToast({ title: errorMessage(error), tone: "error" }),
    );
  return useAction({
    mutationFn: ({ start, lines }: BlameBlock) =>
      saveMemory(current.id, {
        content: withoutLines(current.content, start, lines.length),
        version: current.version,
      }),
    onSuccess: (saved) => {
      void keep(saved);
      showToast({ title: `Withdrew a line of ${saved.path}`, onUndo: () => void undo(saved) });
    },
    invalidates: [MEMORY_KEY],
  });
}
