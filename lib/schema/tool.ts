import { z } from "zod";

/** What the permission modes and the crash rule know about a tool. */
export const ToolAnnotations = z.object({
  readOnly: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

/**
 * The end of one tool call (S0 ToolResult). `output` is the text the model reads; on failure `error` is set and
 * `output` is empty. `display` is the structured form for cards and traces, never cut by eviction;
 * `forUser` may go straight to the user (S3). `truncatedChars` is what eviction removed.
 */
export const ToolResult = z.object({
  toolCallId: z.string(),
  name: z.string(),
  output: z.string(),
  error: z.string().optional(),
  display: z.unknown().optional(),
  forUser: z.string().optional(),
  truncatedChars: z.number().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** A tool as the model sees it; `parameters` is a JSON Schema object. */
export const ToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
export type ToolSchema = z.infer<typeof ToolSchema>;
