"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, Download, FileText } from "lucide-react";
import { useState } from "react";
import { PreviewBody } from "@/components/chat/files/file-preview";
import { Button } from "@/components/ui/controls/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { ErrorState } from "@/components/ui/states/state-block";
import { contentUrl, filesThenQuery, versionPreviewQuery } from "@/lib/client/files/file-queries";
import { summarizeError } from "@/lib/client/http/error-summary";
import { classNames } from "@/lib/client/ui/class-names";
import { formatExact } from "@/lib/client/ui/text/format";
import type { FilesThen } from "@/lib/schema/files/workspace-file";

type FileThen = FilesThen["files"][number];

const SINCE = { same: "as it is now", changed: "changed since", deleted: "deleted since" } as const;

interface FilesThenDialogProps {
  threadId: string;
  /** Id of a message or its reply. */
  messageId: string;
  onClose: () => void;
}

/** The files as of the end of the answer to a version of a message. */
export function FilesThenDialog({ threadId, messageId, onClose }: FilesThenDialogProps) {
  const list = useQuery(filesThenQuery(threadId, messageId));
  const [file, setFile] = useState<FileThen | null>(null);
  return (
    <Dialog
      title={file?.path ?? "Files as of then"}
      isOpen
      onClose={onClose}
      size="lg"
      actions={file === null ? null : <FileActions threadId={threadId} file={file} onBack={() => setFile(null)} />}
    >
      {file === null ? (
        <>
          {list.isPending ? <SkeletonList label="Loading the files" rows={4} rowHeight={36} /> : null}
          {list.isError ? <Failed error={list.error} onRetry={() => void list.refetch()} /> : null}
          {list.data ? <FileRows {...list.data} onOpen={setFile} /> : null}
        </>
      ) : (
        <div className="-m-4">
          <VersionPreview threadId={threadId} path={file.path} version={file.version} />
        </div>
      )}
    </Dialog>
  );
}

const ROW = "flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm touch-row";

function FileRows({ at, files, isCut, onOpen }: FilesThen & { onOpen: (file: FileThen) => void }) {
  return (
    <>
      <p className="pb-2 text-xs text-muted">
        {at === null
          ? "This version is still being answered: these are the files as they are now."
          : `When this version was answered, ${formatExact(Date.parse(at))}. Looking at them changes nothing.`}
      </p>
      {files.length === 0 ? <p className="text-sm text-muted">There were no files then.</p> : null}
      <ul aria-label="Files as of then" className="-mx-2">
        {files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              disabled={!file.isKept}
              onClick={() => onOpen(file)}
              className={classNames(ROW, file.isKept ? "hover:bg-default" : "text-muted")}
            >
              <FileText className="size-4 shrink-0 text-muted" aria-hidden />
              <span className="min-w-0 flex-1 truncate font-mono text-xs">{file.path}</span>
              <span className="shrink-0 text-xs text-muted">
                {file.isKept ? SINCE[file.since] : "cleaned up, no longer kept"}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isCut ? <p className="pt-2 text-xs text-muted">There were more files than these.</p> : null}
    </>
  );
}

function FileActions({ threadId, file, onBack }: { threadId: string; file: FileThen; onBack: () => void }) {
  return (
    <>
      <Button variant="ghost" onPress={onBack}>
        <ChevronLeft aria-hidden /> All files
      </Button>
      <span className="flex-1" />
      <a
        href={contentUrl(threadId, file.path, file.version)}
        download
        className="inline-flex h-7 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
      >
        <Download className="size-[15px]" aria-hidden /> Download
      </a>
    </>
  );
}

function VersionPreview({ threadId, path, version }: { threadId: string; path: string; version: number }) {
  const preview = useQuery(versionPreviewQuery(threadId, path, version));
  if (preview.isPending) {
    return <SkeletonList label="Loading the file" rows={8} rowHeight={20} hasGlyph={false} className="p-4" />;
  }
  if (preview.isError) return <Failed error={preview.error} onRetry={() => void preview.refetch()} />;
  return <PreviewBody preview={preview.data} path={path} />;
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { message, ...facts } = summarizeError(error);
  return (
    <ErrorState title="The files can't be shown" {...facts} onRetry={onRetry}>
      {message}
    </ErrorState>
  );
}
