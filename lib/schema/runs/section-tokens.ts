import { z } from "zod";

/** What one part of a prompt takes of the context window, estimated (D-7). */
export const SectionTokens = z.object({ name: z.string(), tokens: z.number() });
export type SectionTokens = z.infer<typeof SectionTokens>;
