import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { TRACE_NOTES_KEY } from "@/lib/client/http/query-keys";
import { type CreateNoteBody, Note, NoteList, type UpdateNoteBody } from "@/lib/schema/traces/note";

/** The notes on a run and its spans, oldest first; the feed says when there are others. */
export function notesQuery(runId: string) {
  return queryOptions({
    queryKey: [...TRACE_NOTES_KEY, runId],
    queryFn: async ({ signal }) => (await callJson(NoteList, `/api/notes${queryString({ runId })}`, { signal })).notes,
    staleTime: 60_000,
  });
}

export function createNote(body: CreateNoteBody): Promise<Note> {
  return callJson(Note, "/api/notes", { method: "POST", body });
}

export function updateNote(id: string, body: UpdateNoteBody): Promise<Note> {
  return callJson(Note, `/api/notes/${encodeURIComponent(id)}`, { method: "PATCH", body });
}

export async function deleteNote(id: string): Promise<void> {
  await callApi(`/api/notes/${encodeURIComponent(id)}`, { method: "DELETE" });
}
