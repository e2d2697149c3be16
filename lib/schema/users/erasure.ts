import { z } from "zod";

/**
 * POST `/api/users/{id}/erase`: without `confirm` it only reports what would be erased; with the person's email
 * address it begins.
 */
export const EraseUserBody = z.strictObject({ confirm: z.string().max(254).optional() });
export type EraseUserBody = z.infer<typeof EraseUserBody>;

/** The data of a person; while it is being erased, what is left. */
export const Erasure = z.object({
  /** `asked`: nothing has happened yet. */
  state: z.enum(["asked", "running", "erased"]),
  /** The required value of `confirm`; null once erasure has begun. */
  confirm: z.string().nullable(),
  threads: z.number(),
  runs: z.number(),
  /** Workspaces that are this person's alone, including those of single threads. */
  workspaces: z.number(),
  apiKeys: z.number(),
});
export type Erasure = z.infer<typeof Erasure>;
