"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/text-field";
import type { ThreadSummary } from "@/lib/schema/thread";

export interface RenameThreadProps {
  thread: ThreadSummary;
  onRename: (title: string) => void;
  onClose: () => void;
}

export function RenameThread({ thread, onRename, onClose }: RenameThreadProps) {
  const [title, setTitle] = useState(thread.title ?? "");
  const isValid = title.trim() !== "";
  const save = () => {
    if (!isValid) return;
    onRename(title.trim());
    onClose();
  };
  return (
    <Dialog
      title="Rename thread"
      isOpen
      onClose={onClose}
      size="sm"
      actions={
        <>
          <Button variant="ghost" onPress={onClose}>
            Cancel
          </Button>
          <Button variant="primary" isDisabled={!isValid} onPress={save}>
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField label="Title" value={title} onChange={setTitle} autoFocus maxLength={200} />
      </form>
    </Dialog>
  );
}
