import { z } from "zod";
import { PermissionRule, PermissionsConfig } from "./agent-config-rules";

/**
 * POST `/api/agents/{id}/permissions/test`: a hypothetical call. `threadId` includes that thread's grants; with `yaml`,
 * that text decides instead of the published version.
 */
export const PermissionTestBody = z.strictObject({
  yaml: z.string().max(1_000_000).optional(),
  tool: z.string().min(1).max(200),
  args: z.record(z.string(), z.unknown()).default({}),
  threadId: z.string().max(200).optional(),
});
export type PermissionTestBody = z.infer<typeof PermissionTestBody>;

/**
 * What the permissions say about a call and what decided (D-42). `explanation` is what the model reads for a denial
 * and the person for an ask. `by: off` when the agent has permissions disabled, `by: tool` when the tool itself asks,
 * `by: address` when an address in the call came neither from a person nor from a search of the run.
 */
export const PermissionVerdict = z.object({
  verdict: z.enum(["allow", "ask", "deny"]),
  by: z.enum(["off", "deny", "grant", "ask", "allow", "mode", "tool", "address"]),
  rule: PermissionRule.optional(),
  mode: PermissionsConfig.shape.mode.unwrap().optional(),
  grantId: z.string().optional(),
  /** The grant's pattern, if it covers more than exactly this call. */
  pattern: z.string().optional(),
  explanation: z.string(),
});
export type PermissionVerdict = z.infer<typeof PermissionVerdict>;

/** The tester's reply: the call as the rules see it, the verdict, and whether the model is offered the tool at all. */
export const PermissionTestReply = PermissionVerdict.extend({
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  offered: z.boolean(),
});
export type PermissionTestReply = z.infer<typeof PermissionTestReply>;
