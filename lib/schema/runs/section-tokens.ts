import { z } from "zod";

/** Marks a token count that is D-7's estimate and not the provider's (D-84). */
export const Estimated = z.literal(true).default(true);

/** Tokens that one part of a prompt takes of the context window. */
export const SectionTokens = z.object({ name: z.string(), tokens: z.number(), estimated: Estimated });
export type SectionTokens = z.infer<typeof SectionTokens>;
