import { z } from "zod";

/** A call by its tool and exactly its arguments. */
export const ExactCall = z.strictObject({ tool: z.string().min(1).max(200), args: z.record(z.string(), z.unknown()) });
export type ExactCall = z.infer<typeof ExactCall>;
