import { z } from "zod";

/** A run's change to a file: the resulting version, and how many lines were added and removed. */
export const FileData = z.object({
  path: z.string(),
  operation: z.enum(["created", "changed", "deleted"]),
  version: z.number(),
  addedLines: z.number(),
  removedLines: z.number(),
  toolCallId: z.string().optional(),
});
export type FileData = z.infer<typeof FileData>;
