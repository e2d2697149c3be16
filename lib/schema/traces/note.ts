import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { storedText } from "@/lib/schema/plain-text";

/** What a person wrote about a run, or about one of its spans. */
export const Note = z.object({
  id: z.string(),
  runId: z.string(),
  /** Null: about the whole run. */
  spanId: z.string().nullable(),
  /** Markdown. */
  text: z.string(),
  authorId: z.string(),
  authorName: z.string(),
  createdAt: z.string(),
  /** Null if it is as it was first written. */
  editedAt: z.string().nullable(),
});
export type Note = z.infer<typeof Note>;

export const NoteList = z.object({ notes: z.array(Note) });
export type NoteList = z.infer<typeof NoteList>;

export const NoteQuery = z.strictObject({ runId: RowId });
export type NoteQuery = z.infer<typeof NoteQuery>;

const MAX_NOTE_CHARS = 10_000;

const Text = storedText(MAX_NOTE_CHARS).min(1);

export const CreateNoteBody = z.strictObject({ runId: RowId, spanId: RowId.optional(), text: Text });
export type CreateNoteBody = z.infer<typeof CreateNoteBody>;

export const UpdateNoteBody = z.strictObject({ text: Text });
export type UpdateNoteBody = z.infer<typeof UpdateNoteBody>;
