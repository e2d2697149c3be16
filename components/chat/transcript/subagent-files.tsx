"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { DiffCount } from "@/components/ui/code/diff-count";
import { PathText } from "@/components/ui/path-text";
import { useFileDisplay } from "@/lib/client/files/artifact/file-opener";
import { deleteFile, runFilesQuery } from "@/lib/client/files/file-queries";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { filesKey } from "@/lib/client/http/query-keys";
import { showToast } from "@/lib/client/ui/toast-store";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { hasEnded } from "@/lib/schema/runs/run";

const FileDialog = lazy(async () => ({
  default: (await loadWithRetry(() => import("@/components/chat/files/file-dialog"))).FileDialog,
}));

/** The files that the subagent wrote, each a button that opens it, and whose workspace they are in. */
export function SubagentFiles({ runId, calls = 0, status }: SubagentData) {
  const { data } = useQuery(runFilesQuery(runId, { calls, hasEnded: hasEnded(status) }));
  const [open, setOpen] = useState<string | null>(null);
  const show = useFileDisplay(setOpen);
  const queryClient = useQueryClient();
  const files = data?.files.filter(({ operation }) => operation !== "deleted") ?? [];
  if (data === undefined || files.length === 0) return null;
  const remove = async (path: string) => {
    setOpen(null);
    try {
      await deleteFile(data.threadId, path);
      showToast({ title: `Deleted ${path}` });
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await queryClient.invalidateQueries({ queryKey: filesKey(data.threadId) });
  };
  return (
    <section aria-label="Files of the subagent" className="border-t border-separator px-3 py-2">
      <p className="pb-1 text-xs text-muted">
        {data.isShared ? "In this thread’s files" : `In the workspace of ${data.agentName}`}
      </p>
      <ul className="-mx-2">
        {files.map(({ path, addedLines, removedLines }) => (
          <li key={path}>
            <button
              type="button"
              aria-label={path}
              onClick={() => (data.isShared ? show(path) : setOpen(path))}
              className="flex h-7 w-full items-center gap-2 rounded-md px-2 text-left -outline-offset-2 touch-row hover:bg-default"
            >
              <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
              <PathText path={path} />
              <DiffCount added={addedLines} removed={removedLines} />
            </button>
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <Suspense>
          <FileDialog
            threadId={data.threadId}
            path={open}
            onDelete={() => void remove(open)}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </section>
  );
}
