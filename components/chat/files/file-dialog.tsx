"use client";
import { Download, Pencil } from "lucide-react";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Tabs } from "@/components/ui/controls/tabs";
import { ConfirmDialog, Dialog } from "@/components/ui/overlays/dialog";
import { contentUrl } from "@/lib/client/files/file-queries";
import { useFileEdit } from "@/lib/client/files/use-file-edit";
import { FileChanges } from "./file-changes";
import { FileEditor } from "./file-editor";
import { FilePreview } from "./file-preview";

export interface FileDialogProps {
  threadId: string;
  path: string;
  onDelete: () => void;
  onClose: () => void;
}

/** One file: its contents, the changes of each version, and its text for editing. */
export function FileDialog({ threadId, path, onDelete, onClose }: FileDialogProps) {
  const mayChange = useShell().viewer.scopes.includes("chat");
  const { begin, edit } = useFileEdit(threadId, path);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (edit?.isDirty ? setLeaving(true) : onClose());
  return (
    <>
      <Dialog
        title={path}
        isOpen
        onClose={leave}
        size="lg"
        actions={
          edit === null ? (
            <FileActions
              href={contentUrl(threadId, path)}
              onEdit={mayChange ? begin : null}
              onDelete={mayChange ? onDelete : null}
            />
          ) : (
            <>
              <Button variant="ghost" onPress={edit.discard}>
                Discard
              </Button>
              <Button variant="primary" isDisabled={!edit.isDirty} isPending={edit.isSaving} onPress={edit.save}>
                Save
              </Button>
            </>
          )
        }
      >
        <div className="-m-4">
          {edit === null ? (
            <Tabs
              label="Views of the file"
              items={[
                { id: "preview", label: "Preview", content: <FilePreview threadId={threadId} path={path} /> },
                {
                  id: "changes",
                  label: "Versions and changes",
                  content: <FileChanges threadId={threadId} path={path} />,
                },
              ]}
            />
          ) : (
            <FileEditor path={path} edit={edit} />
          )}
        </div>
      </Dialog>
      <ConfirmDialog
        title="Discard your changes?"
        confirmLabel="Discard"
        isOpen={isLeaving}
        onConfirm={onClose}
        onClose={() => setLeaving(false)}
      >
        What you typed in {path} is not saved.
      </ConfirmDialog>
    </>
  );
}

interface FileActionsProps {
  href: string;
  /** Null for people with read access only, and for files that are not text. */
  onEdit: (() => void) | null;
  onDelete: (() => void) | null;
}

function FileActions({ href, onEdit, onDelete }: FileActionsProps) {
  return (
    <>
      {onDelete === null ? null : (
        <Button variant="danger-ghost" onPress={onDelete}>
          Delete
        </Button>
      )}
      <span className="flex-1" />
      {onEdit === null ? null : (
        <Button onPress={onEdit}>
          <Pencil aria-hidden /> Edit
        </Button>
      )}
      <a
        href={href}
        download
        className="inline-flex h-7 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
      >
        <Download className="size-[15px]" aria-hidden /> Download
      </a>
    </>
  );
}
