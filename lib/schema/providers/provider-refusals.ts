import { z } from "zod";

/** A tool whose description a provider refused; it is left out for this model until its schema changes. */
export const RefusedTool = z.object({
  provider: z.string(),
  model: z.string(),
  tool: z.string(),
  /** Of the tool's description and parameters. */
  schemaChecksum: z.string(),
  /** The provider's own words. */
  words: z.string(),
});
export type RefusedTool = z.infer<typeof RefusedTool>;

/** A context window that a refusal named; an administrator may make it the model's. */
export const LearnedLimit = z.object({
  provider: z.string(),
  model: z.string(),
  contextWindow: z.number(),
  words: z.string(),
});
export type LearnedLimit = z.infer<typeof LearnedLimit>;

/** What the refusals of this installation's providers have taught and a restart keeps. */
export const KeptRefusals = z.object({
  tools: z.array(RefusedTool).default([]),
  limits: z.array(LearnedLimit).default([]),
});
export type KeptRefusals = z.infer<typeof KeptRefusals>;
