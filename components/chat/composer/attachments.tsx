"use client";
import { FileText, Paperclip, X } from "lucide-react";
import { ChooseFilesButton } from "@/components/ui/controls/choose-files-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import type { Attachment } from "@/lib/client/files/use-attachments";
import { formatBytes } from "@/lib/client/ui/text/format";

export interface AttachedListProps {
  items: readonly Attachment[];
  isUploading: boolean;
  onRemove: (id: string) => void;
}

/** What goes with the message, above its field. */
export function AttachedList({ items, isUploading, onRemove }: AttachedListProps) {
  if (items.length === 0) return null;
  return (
    <ul aria-label="Attached files" aria-busy={isUploading} className="flex flex-wrap gap-1.5 px-3 pt-2.5">
      {items.map(({ id, file }) => (
        <li
          key={id}
          className="flex h-6 max-w-full items-center gap-1.5 rounded-sm bg-default pl-2 text-xs pointer-coarse:h-11"
        >
          <FileText className="size-3.5 shrink-0 text-muted" aria-hidden />
          <span className="min-w-0 truncate" title={file.name}>
            {file.name}
          </span>
          <span className="tnum shrink-0 text-muted">{isUploading ? "Uploading" : formatBytes(file.size)}</span>
          <IconButton label={`Remove ${file.name}`} size="xs" isDisabled={isUploading} onPress={() => onRemove(id)}>
            <X />
          </IconButton>
        </li>
      ))}
    </ul>
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
