import Link from "next/link";
import { ScrollArea } from "@/components/ui/scroll-area";
import type { Note } from "@/lib/schema/traces/note";
import { NoteBy, NoteText } from "./note-item";

/** The notes on a call, below it. */
export function CallNotes({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ul aria-label="Notes" className="my-1.5 ml-8 border-l-2 border-border-strong pl-3">
      {notes.map((note) => (
        <li key={note.id} className="py-1">
          <NoteBy note={note} />
          <NoteText note={note} />
        </li>
      ))}
    </ul>
  );
}

/** Above the text: the notes on the run, and those on spans that have no line in it. */
export function RunNotes({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <ScrollArea label="Notes of people" className="max-h-32 shrink-0 border-t border-border px-4">
      <ul aria-label="Notes" className="divide-y divide-separator">
        {notes.map((note) => (
          <li key={note.id} className="py-1.5">
            <div className="flex items-baseline gap-2">
              <NoteBy note={note} />
              {note.spanId === null ? null : (
                <Link
                  href={`?layout=waterfall&span=${encodeURIComponent(note.spanId)}&tab=notes`}
                  className="shrink-0 text-xs text-link hover:underline"
                >
                  Open the span
                </Link>
              )}
            </div>
            <NoteText note={note} />
          </li>
        ))}
      </ul>
    </ScrollArea>
  );
}
