"use client";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Field } from "@/components/ui/form/field";
import { PageForm } from "@/components/ui/form/page-form";
import { Kbd } from "@/components/ui/kbd";
import { useForm } from "@/lib/client/forms/use-form";
import { TRACE_NOTES_KEY } from "@/lib/client/http/query-keys";
import { createNote, updateNote } from "@/lib/client/trace/notes/note-queries";
import { type Note, UpdateNoteBody } from "@/lib/schema/traces/note";

interface NoteFormProps {
  /** Identifies it: what was typed is kept under this over a reload. */
  subject: string;
  label: string;
  initial: string;
  submitLabel: string;
  save: (body: UpdateNoteBody) => Promise<Note>;
  onSaved: () => void;
  onClose: () => void;
  takesFocus: boolean;
  onFocused?: () => void;
  actions?: ReactNode;
}

function NoteForm({ label, submitLabel, onClose, takesFocus, onFocused, actions, ...note }: NoteFormProps) {
  const field = useRef<HTMLDivElement>(null);
  const form = useForm({
    subject: note.subject,
    schema: UpdateNoteBody,
    initial: { text: note.initial },
    save: note.save,
    invalidates: [TRACE_NOTES_KEY],
    onSaved: note.onSaved,
  });
  useEffect(() => {
    if (!takesFocus) return;
    field.current?.querySelector("textarea")?.focus();
    onFocused?.();
  }, [takesFocus, onFocused]);
  return (
    <PageForm
      form={form}
      label={label}
      className="flex flex-col gap-2"
      onEscape={onClose}
      actions={
        <div className="flex items-center justify-end gap-2">
          {actions}
          <Button
            type="submit"
            variant="outline"
            isPending={form.isPending}
            isDisabled={form.values.text.trim() === ""}
          >
            {submitLabel} <Kbd>⌘⏎</Kbd>
          </Button>
        </div>
      }
    >
      <div ref={field}>
        <Field of={form} name="text" label={label} rows={3} description="Markdown" />
      </div>
    </PageForm>
  );
}

export interface NewNoteProps {
  runId: string;
  /** Null: on the whole run. */
  spanId: string | null;
  takesFocus: boolean;
  onFocused: () => void;
}

/** Adds notes, one after another. */
export function NewNote({ runId, spanId, takesFocus, onFocused }: NewNoteProps) {
  const [added, setAdded] = useState(0);
  return (
    <NoteForm
      key={added}
      subject={`note ${runId} ${spanId ?? "run"}`}
      label={spanId === null ? "New note on the run" : "New note on this span"}
      initial=""
      submitLabel="Add note"
      save={({ text }) => createNote({ runId, ...(spanId === null ? {} : { spanId }), text })}
      onSaved={() => setAdded(added + 1)}
      onClose={leaveField}
      takesFocus={takesFocus || added > 0}
      onFocused={onFocused}
    />
  );
}

/** Changes a note in its place. */
export function EditNote({ note, onClose }: { note: Note; onClose: () => void }) {
  const { id, text } = note;
  return (
    <NoteForm
      subject={`note ${id}`}
      label="Edit note"
      initial={text}
      submitLabel="Save note"
      save={(body) => updateNote(id, body)}
      onSaved={onClose}
      onClose={onClose}
      takesFocus
      actions={
        <Button variant="ghost" onPress={onClose}>
          Cancel
        </Button>
      }
    />
  );
}

/** What was typed stays; the page's keys work again. */
function leaveField(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
