import { z } from "zod";

/** POST `/api/users/{id}/erase`: without `confirm` it only says what would go; with the person's e-mail address it begins. */
export const EraseUserBody = z.strictObject({ confirm: z.string().max(254).optional() });
export type EraseUserBody = z.infer<typeof EraseUserBody>;

/** What there is of a person; while it is being erased, what is left. */
export const Erasure = z.object({
  /** `asked`: nothing has happened yet. */
  state: z.enum(["asked", "running", "erased"]),
  /** What `confirm` has to be; null once it has begun. */
  confirm: z.string().nullable(),
  threads: z.number(),
  runs: z.number(),
  /** Sets of files that are this person's alone, those of single threads included. */
  workspaces: z.number(),
  apiKeys: z.number(),
});
export type Erasure = z.infer<typeof Erasure>;
