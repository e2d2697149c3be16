import { z } from "zod";
import { plainText } from "@/lib/schema/plain-text";

/** A view of the list of traces under a name: its filters, order and columns. */
export const TraceView = z.object({
  id: z.string(),
  name: z.string(),
  /** The query string of the list's page, without `?`; empty for all runs. */
  query: z.string(),
});
export type TraceView = z.infer<typeof TraceView>;

export const TraceViewList = z.object({ views: z.array(TraceView) });
export type TraceViewList = z.infer<typeof TraceViewList>;

/** The query string of the list's page. */
export const ListQuery = z
  .string()
  .max(4_000)
  .refine((query) => !/[\p{Cc}?#]/u.test(query) && query.isWellFormed(), "must be a query string without ?");

export const CreateTraceView = z.strictObject({ name: plainText(60), query: ListQuery });
export type CreateTraceView = z.infer<typeof CreateTraceView>;

export const UpdateTraceView = CreateTraceView.partial();
export type UpdateTraceView = z.infer<typeof UpdateTraceView>;
