import { z } from "zod";

/** POST `/api/documents/check`: why the file can't be read, in the words that a model would get; null if it can be. */
export const DocumentCheck = z.object({ refused: z.string().nullable() });
export type DocumentCheck = z.infer<typeof DocumentCheck>;
