import { z } from "zod";

/** Query of a list with a keyset cursor; `cursor` is the `nextCursor` of the previous page. */
export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** A number in a path or query that a database column also stores; capped at what a column of either database holds. */
export const RowNumber = z.coerce.number().int().max(1_000_000_000);
export const VersionNumber = RowNumber.min(1);

/** An id in a path; whether it exists is for the data layer to say. */
export const RowId = z.string().min(1).max(200);
