"use client";
import { useState } from "react";
import { FormDialog } from "@/components/ui/form-dialog";
import { TextField } from "@/components/ui/text-field";
import type { ThreadSummary } from "@/lib/schema/thread";

export interface RenameThreadProps {
  thread: ThreadSummary;
  onRename: (title: string) => void;
  onClose: () => void;
}

export function RenameThread({ thread, onRename, onClose }: RenameThreadProps) {
  const [title, setTitle] = useState(thread.title ?? "");
  const save = () => {
    onRename(title.trim());
    onClose();
  };
  return (
    <FormDialog
      title="Rename thread"
      size="sm"
      submitLabel="Rename"
      isValid={title.trim() !== ""}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} autoFocus maxLength={200} />
    </FormDialog>
  );
}
