import { z } from "zod";

/** Query of a list with a keyset cursor; `cursor` is the `nextCursor` of the page before. */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** An id in a path; whether it exists is the data's to say. */
export const RowId = z.string().min(1).max(200);
