import { z } from "zod";
import { ContextRule, WindowSource } from "@/lib/schema/agents/context-rules";
import { Estimated, SectionTokens } from "@/lib/schema/runs/section-tokens";

/**
 * GET `/api/threads/{id}/context`: what the model would get next, in tokens. `sections` has the parts of the system prompt
 * in their order, then `tools`, `summary`, `messages` and `tool_results`; `used` is their sum. `rules` say from how many
 * tokens of the conversation alone they act (`conversation`), and whether they would now. `prompt` is the text of the system
 * prompt, for whoever may read it. With `windowFrom: assumed` nobody has said how large the window is.
 */
export const ThreadContext = z.object({
  window: z.number(),
  windowFrom: WindowSource,
  used: z.number(),
  conversation: z.number(),
  sections: z.array(SectionTokens),
  rules: z.array(ContextRule.extend({ fires: z.boolean() })),
  /** How often the thread was compacted. */
  compactions: z.number(),
  prompt: z.string().optional(),
  estimated: Estimated,
});
export type ThreadContext = z.infer<typeof ThreadContext>;

/** A thread of an agent, by how much of the window its conversation takes. Only its owner gets title and link. */
export const ThreadFill = z.object({
  threadId: z.string(),
  title: z.string().nullable(),
  isOwn: z.boolean(),
  ownerName: z.string(),
  /** Of its latest run. */
  traceId: z.string().nullable(),
  conversation: z.number(),
  messages: z.number(),
  compactions: z.number(),
  updatedAt: z.string(),
  estimated: Estimated,
});
export type ThreadFill = z.infer<typeof ThreadFill>;

/** POST `/api/agents/{id}/preview-context`: the window of a config, its rules, and the agent's latest threads. */
export const ContextPreview = z.object({
  window: z.number(),
  windowFrom: WindowSource,
  rules: z.array(ContextRule),
  threads: z.array(ThreadFill),
});
export type ContextPreview = z.infer<typeof ContextPreview>;
