import { z } from "zod";

/** What a person is asked: may this call run, or the answers to `ask_user`. */
export const InterruptKind = z.enum(["approval", "question"]);
export type InterruptKind = z.infer<typeof InterruptKind>;

/** One question of `ask_user` (tools.md); without options the answer is free text, `multiple` allows several. */
export const Question = z.object({
  question: z.string().min(1).max(2_000),
  options: z.array(z.string().min(1).max(500)).min(2).max(20).optional(),
  multiple: z.boolean().optional(),
});
export type Question = z.infer<typeof Question>;

/** One answer: text, or the chosen options where several are allowed. */
export const Answer = z.union([z.string().max(20_000), z.array(z.string().max(20_000)).max(20)]);
export type Answer = z.infer<typeof Answer>;

/** A call that waits for a person, as events hold it. `reason` is why it asks; `questions` are those of a question. */
export const Interrupt = z.object({
  kind: InterruptKind,
  toolCallId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  reason: z.string().optional(),
  questions: z.array(Question).optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

/** The same as `/agents` spells it. */
export const WireInterrupt = z.object({
  kind: InterruptKind,
  tool_call_id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  reason: z.string().optional(),
  questions: z.array(Question).optional(),
});
export type WireInterrupt = z.infer<typeof WireInterrupt>;

export function toWireInterrupt({ kind, toolCallId, tool, args, reason, questions }: Interrupt): WireInterrupt {
  return {
    kind,
    tool_call_id: toolCallId,
    tool,
    args,
    ...(reason === undefined ? {} : { reason }),
    ...(questions === undefined ? {} : { questions }),
  };
}

/**
 * What came of an interrupt. `declined`: nobody answered, because the user sent another message or stopped the run
 * (D-53). `args` are the edited ones of `edit`.
 */
export const InterruptDecision = z.object({
  kind: InterruptKind,
  toolCallId: z.string(),
  decision: z.enum(["allow", "deny", "edit", "answer", "declined"]),
  args: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().optional(),
  answers: z.array(Answer).optional(),
  scope: z.enum(["once", "thread"]).optional(),
  by: z.string(),
});
export type InterruptDecision = z.infer<typeof InterruptDecision>;

/**
 * One decision of a body. `edit` needs `args`, `answer` needs `answers` (one per question, in order); `scope: thread`
 * goes with `allow` or `edit` and lets exactly this call run in this thread until the grant expires.
 */
export const Decision = z.strictObject({
  tool_call_id: z.string().min(1).max(200),
  decision: z.enum(["allow", "deny", "edit", "answer"]),
  args: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().max(10_000).optional(),
  answers: z.array(Answer).max(4).optional(),
  scope: z.enum(["once", "thread"]).optional(),
});
export type Decision = z.infer<typeof Decision>;

/** POST `/api/runs/{id}/decisions`: the same decisions as `/agents/{id}/resume`. */
export const DecisionsBody = z.strictObject({ decisions: z.array(Decision).min(1).max(200) });
/** `status` is the run's after the decisions: `queued` when it goes on, `waiting` while something is still open. */
export const DecisionsReply = z.object({
  runId: z.string(),
  status: z.enum(["queued", "waiting"]),
  open: z.array(Interrupt),
});
export type DecisionsReply = z.infer<typeof DecisionsReply>;

/** Something that waits for the viewer, over all threads. Times are ISO 8601. */
export const Approval = Interrupt.extend({
  id: z.string(),
  runId: z.string(),
  threadId: z.string(),
  threadTitle: z.string().nullable(),
  agentId: z.string(),
  agentName: z.string(),
  /** The subagent that asks: the thread is then that of its root run. */
  subagent: z.string().optional(),
  waitingSince: z.string(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalQuery = z.strictObject({
  threadId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
});
export type ApprovalQuery = z.infer<typeof ApprovalQuery>;

/** GET `/api/approvals`: the viewer's inbox, what waits longest first. */
export const ApprovalList = z.object({ approvals: z.array(Approval), nextCursor: z.string().nullable() });
export type ApprovalList = z.infer<typeof ApprovalList>;

/** "This exact call in this thread": what `scope: thread` leaves behind (D-42). */
export const Grant = z.object({
  id: z.string(),
  threadId: z.string(),
  threadTitle: z.string().nullable(),
  agentId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Grant = z.infer<typeof Grant>;

/** GET `/api/grants`: those in force, the newest first. */
export const GrantList = z.object({ grants: z.array(Grant) });
export type GrantList = z.infer<typeof GrantList>;
