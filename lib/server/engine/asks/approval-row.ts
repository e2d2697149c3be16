import { z } from "zod";
import { Interrupt, Question } from "@/lib/schema/runs/interrupt";
import type { Database } from "@/lib/server/platform/db/database";
import type { PendingApproval } from "./check-decision";

/** The stored row of something that people were asked. */
export type ApprovalRow = NonNullable<Awaited<ReturnType<Database["approval"]["findUnique"]>>>;

/** The row as it appears in events and replies. */
export function toInterrupt(row: ApprovalRow): Interrupt {
  const { kind, toolCallId, tool, args, reason, questions, runsIn, expiresAt, facts } = row;
  return Interrupt.parse({
    kind,
    toolCallId,
    tool,
    ...argsOf(kind, JSON.parse(args)),
    ...(reason === null ? {} : { reason }),
    ...(questions === null ? {} : { questions: JSON.parse(questions) }),
    ...(runsIn === null ? {} : { runsIn }),
    ...(facts === null ? {} : { facts: JSON.parse(facts) }),
    ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
  });
}

/** Asks without arguments keep their subject in the same column. */
function argsOf(kind: string, stored: unknown) {
  if (kind === "budget") return { args: {}, budget: stored };
  return kind === "connect" ? { args: {}, connect: stored } : { args: stored };
}

export function toPending({ id, kind, toolCallId, tool, args, questions }: ApprovalRow): PendingApproval {
  return {
    id,
    kind,
    toolCallId,
    tool,
    args: JSON.parse(args),
    questions: z.array(Question).parse(JSON.parse(questions ?? "[]")),
  };
}
