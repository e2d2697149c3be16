import { z } from "zod";

/** A model's reasoning effort before it answers, in the AI SDK's words; each provider has its own. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const Effort = z.enum(EFFORTS);
export type Effort = z.infer<typeof Effort>;
