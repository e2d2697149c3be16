"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { SkeletonList } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { errorMessage } from "@/lib/client/api";
import { changedFiles } from "@/lib/client/changed-files";
import type { ChatMessage } from "@/lib/client/chat-message";
import { filesKey, folderQuery, uploadFile, type WorkspaceRef } from "@/lib/client/file-queries";
import type { ThreadDetail } from "@/lib/schema/thread";
import { FileDialog } from "./file-dialog";
import { FilesSection } from "./files-section";

export interface FilesViewProps {
  detail: Pick<ThreadDetail, "id" | "agentId" | "clientId">;
  messages: readonly ChatMessage[];
}

/** The workspace of the thread's agent. */
export function FilesView({ detail, messages }: FilesViewProps) {
  const queryClient = useQueryClient();
  const [folder, setFolder] = useState("");
  const [file, setFile] = useState<string | null>(null);
  const workspace: WorkspaceRef = { threadId: detail.id, agentId: detail.agentId, clientId: detail.clientId };
  const list = useQuery(folderQuery(workspace, folder));
  const changed = useMemo(() => changedFiles(messages), [messages]);
  const upload = async (files: readonly File[]) => {
    try {
      for (const one of files) await uploadFile(workspace, folder === "" ? one.name : `${folder}/${one.name}`, one);
      showToast({
        title: files.length === 1 ? `${files[0]?.name} is in the workspace` : `${files.length} files uploaded`,
      });
    } catch (error) {
      showToast({ title: errorMessage(error), tone: "error" });
    }
    await queryClient.invalidateQueries({ queryKey: filesKey(detail.id) });
  };
  return (
    <>
      <FilesSection
        changed={changed}
        folder={folder}
        entries={list.data?.entries ?? null}
        placeholder={
          <Placeholder
            isLoading={list.isPending}
            error={list.error}
            isEmpty={list.data?.entries.length === 0}
            onRetry={() => void list.refetch()}
          />
        }
        onFolder={setFolder}
        onFile={setFile}
        onUpload={(files) => void upload(files)}
      />
      {file === null ? null : (
        <FileDialog
          workspace={workspace}
          path={file}
          changed={changed.find(({ path }) => path === file)}
          onClose={() => setFile(null)}
        />
      )}
    </>
  );
}

interface PlaceholderProps {
  isLoading: boolean;
  error: Error | null;
  isEmpty: boolean;
  onRetry: () => void;
}

function Placeholder({ isLoading, error, isEmpty, onRetry }: PlaceholderProps) {
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
  return <p className="text-xs text-muted">No files here yet. The agent writes them, or upload one.</p>;
}
