import { z } from "zod";
import { Effort } from "@/lib/schema/agents/choices";
import { Message, Reasoning, ToolCall } from "@/lib/schema/messages/message";
import { SectionTokens } from "@/lib/schema/runs/section-tokens";
import { ToolSchema } from "@/lib/schema/tools/tool";
import { Span } from "./span";
import { Trace } from "./trace";

/** The model's answer to a call; null parts are those a run in progress has not reported yet. */
export const CallReply = z.object({
  content: z.string(),
  reasoning: z.array(Reasoning),
  toolCalls: z.array(ToolCall),
});
export type CallReply = z.infer<typeof CallReply>;

/** A message as it was sent; null when it is no longer kept. */
const SentMessage = Message.nullable();

/**
 * The request that went to the model, read again from the hashes that were recorded then (D-82); nothing in it is made
 * by today's code. `fresh` are the messages that the previous call had not seen, nor written; the `earlierCount` before
 * them come with `?earlier=true`. `sameAsStep` is the step whose whole request they begin with, else null. `tools` is
 * null when their schemas are not kept. A request without any message was never sent: a hook answered, or it failed before.
 */
export const SentRequestBody = z.object({
  earlierCount: z.number(),
  sameAsStep: z.number().nullable(),
  earlier: z.array(SentMessage).nullable(),
  fresh: z.array(SentMessage),
  tools: z.array(ToolSchema).nullable(),
  maxTokens: z.number().nullable(),
  temperature: z.number().nullable(),
  /** Null: the provider's default. */
  effort: Effort.nullable(),
});
export type SentRequestBody = z.infer<typeof SentRequestBody>;

/** One model call. `request` is null when it was recorded by a version that did not keep what it sent. */
export const ModelCallBody = z.object({
  step: z.number().nullable(),
  request: SentRequestBody.nullable(),
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
 * One span in full. `toolCalls` are the calls it asked for (a model call) or is (a tool call), none when the messages are
 * gone. `system` is the prompt of a model call in its order, null for other spans.
 */
export const SpanBody = z.object({
  span: Span,
  system: z.array(PromptPart).nullable(),
  /** The texts of the system prompt are left out: the agent shows them to admins only (`trace.show_prompt`). */
  isPromptHidden: z.boolean(),
  modelCall: ModelCallBody.nullable(),
  toolCalls: z.array(ToolCallBody),
});
export type SpanBody = z.infer<typeof SpanBody>;

/**
 * What "Export" downloads. `messages` are those the run added to its thread, with `earlierMessages` before them. `texts`
 * has, by hash, everything that the spans name: messages and tools as JSON, parts of the system prompt as they are.
 */
export const TraceExport = z.object({
  format: z.literal("ringmaster.trace"),
  version: z.literal(1),
  exportedAt: z.string(),
  trace: Trace,
  earlierMessages: z.number(),
  messages: z.array(Message),
  texts: z.record(z.string(), z.string()),
});
export type TraceExport = z.infer<typeof TraceExport>;
