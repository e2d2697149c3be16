import { z } from "zod";

/** Why a file can't be read, in the words that a model would get; null if it can be. */
const refused = z.string().nullable();

/** POST `/api/documents/check`. */
export const DocumentCheck = z.object({ refused });
export type DocumentCheck = z.infer<typeof DocumentCheck>;

/** GET `/api/threads/{id}/files/text`: what the tool `read_file` would give of a document; null if the file is none. */
export const DocumentReading = z.object({ text: z.string().nullable(), refused });
export type DocumentReading = z.infer<typeof DocumentReading>;
