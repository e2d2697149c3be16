import { z } from "zod";
import { ImageRef } from "@/lib/schema/messages/message";

/** Facts about a tool for the permission modes and the crash rule. */
export const ToolAnnotations = z.object({
  readOnly: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/** The kind of a call, for code that draws it or sets rules for it: nothing relies on tool names. */
export const ToolKind = z.enum(["read", "edit", "command", "plan", "question", "agent", "memory", "schedule", "other"]);
export type ToolKind = z.infer<typeof ToolKind>;

/**
 * A call described by the tool itself, carried in the call's events. `gist` is one line about the arguments;
 * `question` is what a person is asked before it runs.
 */
export const CallSummary = z.object({ kind: ToolKind, gist: z.string(), question: z.string().optional() });
export type CallSummary = z.infer<typeof CallSummary>;

/** Why a call never ran: a person declined it, nobody decided in time, or a permission rule denies it. */
export const Refusal = z.enum(["declined", "expired", "rule"]);
export type Refusal = z.infer<typeof Refusal>;

/**
 * The end of one tool call (S0 ToolResult). `output` is the text the model reads; on failure `error` is set and
 * `output` is empty. `display` is the structured form for cards and traces, never cut by eviction; `forUser` may go
 * straight to the user (S3). `truncatedChars` is what eviction removed. `refused`: the call never ran; `error` tells
 * the model why. `images` are shown to a model with vision besides the text.
 */
export const ToolResult = z.object({
  toolCallId: z.string(),
  name: z.string(),
  output: z.string(),
  error: z.string().optional(),
  display: z.unknown().optional(),
  forUser: z.string().optional(),
  truncatedChars: z.number().optional(),
  refused: Refusal.optional(),
  images: z.array(ImageRef).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** A tool as the model sees it; `parameters` is a JSON Schema object. */
export const ToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export type ToolSchema = z.infer<typeof ToolSchema>;
