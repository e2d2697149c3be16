"use client";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Markdown } from "@/components/ui/markdown/markdown";
import { Time } from "@/components/ui/time";
import type { Note } from "@/lib/schema/traces/note";
import { EditNote } from "./note-form";

export interface NoteItemProps {
  note: Note;
  mayEdit: boolean;
  mayDelete: boolean;
  onDelete: () => void;
}

/** One note with its author and time; its author changes it in place. */
export function NoteItem({ note, mayEdit, mayDelete, onDelete }: NoteItemProps) {
  const [isEdited, setEdited] = useState(false);
  return (
    <li className="flex flex-col gap-1 py-2">
      <div className="flex min-h-6 items-center gap-1">
        <NoteBy note={note} />
        {mayEdit && !isEdited ? (
          <IconButton size="xs" label="Edit note" onPress={() => setEdited(true)}>
            <Pencil />
          </IconButton>
        ) : null}
        {mayDelete ? (
          <IconButton size="xs" label="Delete note" onPress={onDelete}>
            <Trash2 />
          </IconButton>
        ) : null}
      </div>
      {isEdited ? <EditNote note={note} onClose={() => setEdited(false)} /> : <NoteText note={note} />}
    </li>
  );
}

export function NoteBy({ note: { authorName, createdAt, editedAt } }: { note: Note }) {
  return (
    <p className="min-w-0 flex-1 truncate text-xs text-muted">
      <span className="font-medium text-foreground">{authorName}</span> <Time at={createdAt} />
      {editedAt === null ? null : <span title={new Date(editedAt).toLocaleString()}>, edited</span>}
    </p>
  );
}

export function NoteText({ note }: { note: Note }) {
  return (
    <div className="min-w-0 text-sm break-words">
      <Markdown text={note.text} />
    </div>
  );
}
