import { z } from "zod";
import { Interrupt, Question } from "@/lib/schema/interrupt";
import type { PendingApproval } from "./check-decision";

interface ApprovalRow {
  readonly id: string;
  readonly kind: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly args: string;
  readonly reason: string | null;
  readonly questions: string | null;
}

/** The row as events and replies have it. */
export function toInterrupt({ kind, toolCallId, tool, args, reason, questions }: ApprovalRow): Interrupt {
  return Interrupt.parse({
    kind,
    toolCallId,
    tool,
    args: JSON.parse(args),
    ...(reason === null ? {} : { reason }),
    ...(questions === null ? {} : { questions: JSON.parse(questions) }),
  });
}

export function toPending({ id, kind, toolCallId, tool, questions }: ApprovalRow): PendingApproval {
  return { id, kind, toolCallId, tool, questions: z.array(Question).parse(JSON.parse(questions ?? "[]")) };
}
