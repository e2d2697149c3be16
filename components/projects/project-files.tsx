"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { PreviewBody } from "@/components/chat/files/file-preview";
import { FilesSection } from "@/components/chat/files/files-section";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { errorMessage } from "@/lib/client/http/api";
import {
  deleteProjectFile,
  projectFileBytesQuery,
  projectFilesQuery,
  projectFileUrl,
  uploadProjectFile,
} from "@/lib/client/projects/project-queries";
import { formatBytes, formatCount } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import type { FileList } from "@/lib/schema/files/workspace-file";

interface ProjectFilesProps {
  projectId: string;
  mayWrite: boolean;
}

/** The files that the threads of a project share, folder by folder. */
export function ProjectFiles({ projectId, mayWrite }: ProjectFilesProps) {
  const [folder, setFolder] = useState("");
  const [path, setPath] = useState<string | null>(null);
  const [uploading, setUploading] = useState<string | null>(null);
  const list = useQuery(projectFilesQuery(projectId, folder));
  const { upload, remove } = useFileChanges(projectId, setUploading);
  const entries = list.data?.entries ?? null;
  return (
    <>
      <FilesSection
        changed={[]}
        folder={folder}
        entries={entries}
        omitted={list.data?.omitted ?? 0}
        totals={list.data === undefined ? null : totalsOf(list.data)}
        placeholder={<Placeholder list={list} isTop={folder === ""} mayWrite={mayWrite} />}
        onFolder={setFolder}
        onFile={setPath}
        archiveUrl={null}
        sharedThreads={0}
        onUpload={mayWrite ? (chosen) => void upload(folder, chosen) : null}
        uploading={uploading}
      />
      {path === null ? null : (
        <FileDialog
          projectId={projectId}
          path={path}
          onClose={() => setPath(null)}
          onDelete={
            mayWrite
              ? () => {
                  setPath(null);
                  remove(path);
                }
              : null
          }
        />
      )}
    </>
  );
}

/** "6, 1.2 MB"; null for a folder whose content is not all listed, because it has folders or is huge. */
function totalsOf({ entries, omitted = 0 }: FileList): string | null {
  const isWhole = omitted === 0 && entries.every(({ type }) => type !== "dir");
  if (!isWhole || entries.length === 0) return null;
  return `${formatCount(entries.length)}, ${formatBytes(entries.reduce((sum, { size }) => sum + size, 0))}`;
}

/** Uploads and deletions; each says how it went, and a deletion can be undone. */
function useFileChanges(projectId: string, onUploading: (name: string | null) => void) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: projectFilesQuery(projectId).queryKey.slice(0, -1) });
  const say = (error: unknown) => showToast({ title: errorMessage(error), tone: "error" });
  const removal = useMutation({
    mutationFn: (path: string) => deleteProjectFile(projectId, path),
    onSuccess: (undo, path) =>
      showToast({ title: `Deleted ${path}`, onUndo: () => void undo().catch(say).finally(refresh) }),
    onError: say,
    onSettled: refresh,
  });
  const upload = async (folder: string, chosen: readonly File[]) => {
    for (const file of chosen) {
      onUploading(file.name);
      try {
        await uploadProjectFile(projectId, folder === "" ? file.name : `${folder}/${file.name}`, file);
      } catch (error) {
        showToast({ title: `${file.name} was not uploaded`, description: errorMessage(error), tone: "error" });
      }
    }
    onUploading(null);
    await refresh();
  };
  return { upload, remove: removal.mutate };
}

interface PlaceholderProps {
  list: { isPending: boolean; error: Error | null; data?: { entries: readonly unknown[] } | undefined };
  isTop: boolean;
  mayWrite: boolean;
}

function Placeholder({ list, isTop, mayWrite }: PlaceholderProps) {
  if (list.isPending) return <SkeletonList label="Loading the files" rows={2} rowHeight={28} className="-mx-2" />;
  if (list.error) return <p className="text-xs text-muted">{errorMessage(list.error)}</p>;
  if (list.data?.entries.length !== 0) return null;
  return (
    <p className="text-xs text-muted">
      {isTop
        ? `No files yet. Every thread with project files can read what ${mayWrite ? "you upload" : "is uploaded"} here.`
        : "This folder is empty."}
    </p>
  );
}

interface FileDialogProps {
  projectId: string;
  path: string;
  onClose: () => void;
  /** Null for those who may only read. */
  onDelete: (() => void) | null;
}

function FileDialog({ projectId, path, onClose, onDelete }: FileDialogProps) {
  const preview = useQuery(projectFileBytesQuery(projectId, path));
  return (
    <Dialog
      title={path}
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        <>
          {onDelete === null ? null : (
            <Button variant="danger-ghost" onPress={onDelete}>
              Delete
            </Button>
          )}
          <span className="flex-1" />
          <a
            href={projectFileUrl(projectId, path)}
            download
            className="inline-flex h-7 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
          >
            <Download className="size-[15px]" aria-hidden /> Download
          </a>
        </>
      }
    >
      <div className="-m-4">
        {preview.isPending ? (
          <SkeletonList label="Loading the file" rows={8} rowHeight={20} hasGlyph={false} className="p-4" />
        ) : preview.isError ? (
          <p role="alert" className="p-4 text-sm text-fail-text">
            {errorMessage(preview.error)}
          </p>
        ) : (
          <PreviewBody preview={preview.data} path={path} />
        )}
      </div>
    </Dialog>
  );
}
