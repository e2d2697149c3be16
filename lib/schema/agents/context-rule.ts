import { z } from "zod";

/** The rules that keep a conversation inside the model's window, in the order in which the engine checks. */
export const ContextRuleName = z.enum(["pruning_soft", "pruning_hard", "summarization", "memory_flush", "compaction"]);
export type ContextRuleName = z.infer<typeof ContextRuleName>;

/** `at` is in tokens of the conversation, without the system prompt and the tools (D-51). */
export const ContextRule = z.object({ name: ContextRuleName, at: z.number() });
export type ContextRule = z.infer<typeof ContextRule>;

/** The source of the window size: the agent's config, the model's facts, or an assumption. */
export const WindowSource = z.enum(["agent", "model", "assumed"]);
export type WindowSource = z.infer<typeof WindowSource>;
