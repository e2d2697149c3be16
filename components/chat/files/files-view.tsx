"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { useFileDisplay } from "@/lib/client/files/artifact/file-opener";
import { archiveUrl, changedFilesQuery, folderQuery } from "@/lib/client/files/file-queries";
import { useFileRemoval } from "@/lib/client/files/use-file-removal";
import { useFileUpload } from "@/lib/client/files/use-file-upload";
import { errorMessage } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { FilesSection } from "./files-section";

const FileDialog = lazy(async () => ({ default: (await loadWithRetry(() => import("./file-dialog"))).FileDialog }));

/** The workspace of the thread's agent. */
export function FilesView({ threadId, isReadOnly = false }: { threadId: string; isReadOnly?: boolean }) {
  const [folder, setFolder] = useState("");
  const [file, setFile] = useState<string | null>(null);
  const list = useQuery(folderQuery(threadId, folder));
  const changed = useQuery(changedFilesQuery(threadId));
  const remove = useFileRemoval(threadId);
  const show = useFileDisplay(setFile);
  const mayChange = useShell().viewer.scopes.includes("chat") && !isReadOnly;
  const { uploading, upload } = useFileUpload(threadId, folder);
  return (
    <>
      <FilesSection
        changed={changed.data ?? []}
        folder={folder}
        entries={list.data?.entries ?? null}
        placeholder={
          <Placeholder
            isLoading={list.isPending}
            error={list.error}
            isEmpty={list.data?.entries.length === 0}
            hasWorkspace={list.data?.hasWorkspace !== false}
            onRetry={() => void list.refetch()}
          />
        }
        sharedThreads={list.data?.sharedThreads ?? 0}
        omitted={list.data?.omitted ?? 0}
        onFolder={setFolder}
        onFile={show}
        archiveUrl={list.data?.entries.length ? archiveUrl(threadId, folder) : null}
        onUpload={mayChange && list.data?.hasWorkspace !== false ? (files) => void upload(files) : null}
        uploading={uploading}
      />
      {file === null ? null : (
        <Suspense>
          <FileDialog
            threadId={threadId}
            path={file}
            onDelete={() => {
              setFile(null);
              void remove(file);
            }}
            onClose={() => setFile(null)}
          />
        </Suspense>
      )}
    </>
  );
}

interface PlaceholderProps {
  isLoading: boolean;
  error: Error | null;
  isEmpty: boolean;
  hasWorkspace: boolean;
  onRetry: () => void;
}

function Placeholder({ isLoading, error, isEmpty, hasWorkspace, onRetry }: PlaceholderProps) {
  if (isLoading) return <SkeletonList label="Loading files" rows={3} rowHeight={28} className="-mx-2 divide-y-0" />;
  if (error) {
    return (
      <div className="text-xs text-muted">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onPress={onRetry}>Try again</Button>
      </div>
    );
  }
  if (!isEmpty) return null;
  if (!hasWorkspace) return <p className="text-xs text-muted">This agent works without files.</p>;
  return <p className="text-xs text-muted">No files here yet. The agent writes them, or upload one.</p>;
}
