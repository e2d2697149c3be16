import { z } from "zod";
import { Message, Reasoning, ToolCall } from "./message";
import { SectionTokens } from "./section-tokens";
import { Span } from "./span";
import { Trace } from "./trace";

/** The model's answer to a call; null parts are what a run that still goes on has not told yet. */
export const CallReply = z.object({
  content: z.string(),
  reasoning: z.array(Reasoning),
  toolCalls: z.array(ToolCall),
});
export type CallReply = z.infer<typeof CallReply>;

/**
 * What a model call read and answered, resolved from the pointers of its span: after a compaction or an in-run summary
 * what stood in place of the older messages, and old tool results as they were sent. `fresh` are the messages that the
 * previous call had not seen; the `earlierCount` before them come with `?earlier=true`. `sameAsStep` is null where
 * they are the thread's history.
 */
export const ModelCallBody = z.object({
  step: z.number(),
  earlierCount: z.number(),
  sameAsStep: z.number().nullable(),
  earlier: z.array(Message).nullable(),
  fresh: z.array(Message),
  reply: CallReply.nullable(),
});
export type ModelCallBody = z.infer<typeof ModelCallBody>;

/** A tool call with its result; `result` is null while it runs or when it never came. */
export const ToolCallBody = z.object({
  call: ToolCall,
  result: z.object({ content: z.string(), isError: z.boolean() }).nullable(),
});
export type ToolCallBody = z.infer<typeof ToolCallBody>;

/** A part of the system prompt as it was sent; null when its text is gone or was never kept. */
export const PromptPart = SectionTokens.extend({ text: z.string().nullable() });
export type PromptPart = z.infer<typeof PromptPart>;

/**
 * One span in full. `calls` are the tool calls it asked for (a model call) or is (a tool call). Both are empty when
 * the messages are gone. `system` is the prompt of a model call in its order, null for other spans.
 */
export const SpanBody = z.object({
  span: Span,
  system: z.array(PromptPart).nullable(),
  modelCall: ModelCallBody.nullable(),
  toolCalls: z.array(ToolCallBody),
});
export type SpanBody = z.infer<typeof SpanBody>;

/** What "Export" downloads. `messages` are those the run added to its thread, with `earlierMessages` before them. */
export const TraceExport = z.object({
  format: z.literal("ringmaster.trace"),
  version: z.literal(1),
  exportedAt: z.string(),
  trace: Trace,
  earlierMessages: z.number(),
  messages: z.array(Message),
});
export type TraceExport = z.infer<typeof TraceExport>;
