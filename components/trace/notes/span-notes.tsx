"use client";
import { useShell } from "@/components/shell/shell-context";
import { QueryState } from "@/components/ui/states/query-state";
import type { Notes } from "@/lib/client/trace/notes/use-notes";
import type { Note } from "@/lib/schema/traces/note";
import { hasAdminScope } from "@/lib/schema/users/user";
import { NewNote, type NewNoteProps } from "./note-form";
import { NoteItem } from "./note-item";

export interface SpanNotesProps extends Omit<NewNoteProps, "spanId"> {
  notes: Notes;
  spanId: string;
  /** The whole run's span: its notes are those of the run. */
  isRoot: boolean;
}

/** The notes on a span and, below, those on the run, with a field for the next one. */
export function SpanNotes({ notes, spanId, isRoot, ...form }: SpanNotesProps) {
  const { viewer } = useShell();
  const about = isRoot ? "the run" : "this span";
  const isHere = (note: Note) => note.spanId === spanId || (isRoot && note.spanId === null);
  const isOfRun = (note: Note) => !isRoot && note.spanId === null;
  return (
    <QueryState what="notes" query={notes.query} rows={2} isEmpty={() => false}>
      {(all) => (
        <div className="flex flex-col gap-3 px-4 py-3">
          {all.some(isHere) ? null : (
            <p className="text-sm text-muted">No notes on {about} yet. Whoever may read the trace reads its notes.</p>
          )}
          <NoteList label={`Notes on ${about}`} notes={all.filter(isHere)} onDelete={notes.remove} />
          {viewer.scopes.includes("chat") ? <NewNote key={spanId} {...form} spanId={isRoot ? null : spanId} /> : null}
          {all.some(isOfRun) ? <h3 className="text-xs font-medium text-muted">On the run</h3> : null}
          <NoteList label="Notes on the run" notes={all.filter(isOfRun)} onDelete={notes.remove} />
        </div>
      )}
    </QueryState>
  );
}

interface NoteListProps {
  label: string;
  notes: readonly Note[];
  onDelete: (id: string) => void;
}

function NoteList({ label, notes, onDelete }: NoteListProps) {
  const { viewer } = useShell();
  if (notes.length === 0) return null;
  const isOwn = ({ authorId }: Note) => viewer.scopes.includes("chat") && authorId === viewer.id;
  return (
    <ul aria-label={label} className="divide-y divide-separator">
      {notes.map((note) => (
        <NoteItem
          key={note.id}
          note={note}
          mayEdit={isOwn(note)}
          mayDelete={isOwn(note) || hasAdminScope(viewer)}
          onDelete={() => onDelete(note.id)}
        />
      ))}
    </ul>
  );
}
