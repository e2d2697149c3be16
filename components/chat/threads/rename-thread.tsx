"use client";
import { useState } from "react";
import { TextField } from "@/components/ui/controls/text-field";
import { FormDialog } from "@/components/ui/overlays/form-dialog";
import type { ThreadSummary } from "@/lib/schema/threads/thread";

interface RenameThreadProps {
  thread: ThreadSummary;
  /** Rejects if the server refuses; what was typed then stays. */
  onRename: (title: string) => Promise<void>;
  onClose: () => void;
}

export function RenameThread({ thread, onRename, onClose }: RenameThreadProps) {
  const [title, setTitle] = useState(thread.title ?? "");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setPending(true);
    setError(null);
    try {
      await onRename(title.trim());
      onClose();
    } catch (refusal) {
      setError(refusal);
      setPending(false);
    }
  };
  return (
    <FormDialog
      title="Rename thread"
      size="sm"
      submitLabel="Rename"
      isValid={title.trim() !== ""}
      isPending={isPending}
      error={error}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField label="Title" value={title} onChange={setTitle} autoFocus maxLength={200} />
    </FormDialog>
  );
}
