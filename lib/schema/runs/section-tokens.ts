import { z } from "zod";

/** Stands beside every number of tokens that is D-7's estimate and not what a provider said (D-84). */
export const Estimated = z.literal(true).default(true);

/** What one part of a prompt takes of the context window. */
export const SectionTokens = z.object({ name: z.string(), tokens: z.number(), estimated: Estimated });
export type SectionTokens = z.infer<typeof SectionTokens>;
