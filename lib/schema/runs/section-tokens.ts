import { z } from "zod";

/** Marks a token count that is D-7's estimate and not the provider's (D-84). */
export const Estimated = z.literal(true).default(true);

/** The share of the context window that one part of a prompt takes, in tokens. */
export const SectionTokens = z.object({ name: z.string(), tokens: z.number(), estimated: Estimated });
export type SectionTokens = z.infer<typeof SectionTokens>;
