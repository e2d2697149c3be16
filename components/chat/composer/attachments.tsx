"use client";
import { FileText, Paperclip, X } from "lucide-react";
import { ChooseFilesButton } from "@/components/ui/controls/choose-files-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { type UploadProgress, useUploadProgress } from "@/lib/client/files/upload-progress";
import type { Attachment } from "@/lib/client/files/use-attachments";
import { classNames } from "@/lib/client/ui/class-names";
import { formatBytes } from "@/lib/client/ui/text/format";

export interface AttachedListProps {
  items: readonly Attachment[];
  isUploading: boolean;
  onRemove: (id: string) => void;
}

/** The message's attachments, above its field. */
export function AttachedList({ items, isUploading, onRemove }: AttachedListProps) {
  const progress = useUploadProgress();
  if (items.length === 0) return progress === null ? null : <UploadLine {...progress} />;
  return (
    <ul
      aria-label="Attached files"
      aria-busy={isUploading}
      className="mt-2.5 flex max-h-[22dvh] flex-wrap gap-1.5 overflow-y-auto px-3"
    >
      {items.map(({ id, file, problem }) => (
        <li
          key={id}
          className={classNames(
            "flex min-h-6 max-w-full items-center gap-1.5 rounded-sm pl-2 text-xs pointer-coarse:min-h-11",
            problem === undefined ? "bg-default" : "bg-fail-soft",
          )}
        >
          <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
          {problem === undefined ? (
            <>
              <span className="min-w-0 truncate" title={file.name}>
                {file.name}
              </span>
              <span className="tnum shrink-0 text-muted">
                {isUploading ? stateOf(file, progress) : formatBytes(file.size)}
              </span>
            </>
          ) : (
            <span role="alert" className="min-w-0 py-1 break-words text-fail-text">
              {problem}
            </span>
          )}
          <IconButton label={`Remove ${file.name}`} size="xs" isDisabled={isUploading} onPress={() => onRemove(id)}>
            <X />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function stateOf({ name }: File, progress: UploadProgress | null): string {
  return progress?.name === name ? `Uploading ${percentOf(progress)} %` : "Uploading";
}

function percentOf({ sentBytes, totalBytes }: UploadProgress): number {
  return totalBytes === 0 ? 0 : Math.floor((sentBytes / totalBytes) * 100);
}

/** A sent message whose files are being uploaded. */
function UploadLine(progress: UploadProgress) {
  const percent = percentOf(progress);
  return (
    <div className="flex items-center gap-2 px-3 pt-2.5 text-xs text-muted">
      <span className="min-w-0 truncate">Uploading {progress.name}</span>
      <progress
        aria-label={`Uploading ${progress.name}`}
        max={100}
        value={percent}
        className="h-1 w-24 accent-accent"
      />
      <span className="tnum">{percent} %</span>
    </div>
  );
}

export interface AttachButtonProps {
  isDisabled?: boolean | undefined;
  onFiles: (files: readonly File[]) => void;
}

export function AttachButton(props: AttachButtonProps) {
  return (
    <ChooseFilesButton label="Attach files" fieldLabel="Files to attach" {...props}>
      <Paperclip />
    </ChooseFilesButton>
  );
}
