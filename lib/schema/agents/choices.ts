import { z } from "zod";

/** How much a model thinks before it answers, in the AI SDK's words; each provider has its own for them. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const Effort = z.enum(EFFORTS);
export type Effort = z.infer<typeof Effort>;

/** What a person may pick for one message instead of the agent's own; nothing where both lists are empty. */
export const ChoicesConfig = z.strictObject({
  models: z
    .array(z.string().regex(/^[^:\s]+(:\S+)?$/, 'must look like "provider:model", or be the name of a model'))
    .max(50)
    .describe("Models that people may pick for a message. Empty: only the agent's own.")
    .default([]),
  efforts: z
    .array(Effort)
    .max(EFFORTS.length)
    .describe("How much the model may be asked to think. Empty: only what its provider does by default.")
    .default([]),
});
