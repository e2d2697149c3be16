"use client";
import { Download } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Tabs } from "@/components/ui/tabs";
import { contentUrl } from "@/lib/client/file-queries";
import { FileChanges } from "./file-changes";
import { FilePreview } from "./file-preview";

export interface FileDialogProps {
  threadId: string;
  path: string;
  onDelete: () => void;
  onClose: () => void;
}

/** One file: what is in it, and what each version changed. */
export function FileDialog({ threadId, path, onDelete, onClose }: FileDialogProps) {
  return (
    <Dialog
      title={path}
      isOpen
      onClose={onClose}
      size="lg"
      actions={
        <>
          <Button variant="danger-ghost" onPress={onDelete}>
            Delete
          </Button>
          <span className="flex-1" />
          <a
            href={contentUrl(threadId, path)}
            download
            className="inline-flex h-7 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
          >
            <Download className="size-[15px]" aria-hidden /> Download
          </a>
        </>
      }
    >
      <div className="-m-4">
        <Tabs
          label="Views of the file"
          items={[
            { id: "preview", label: "Preview", content: <FilePreview threadId={threadId} path={path} /> },
            { id: "changes", label: "Versions and changes", content: <FileChanges threadId={threadId} path={path} /> },
          ]}
        />
      </div>
    </Dialog>
  );
}
