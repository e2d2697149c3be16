import { z } from "zod";
import { Interrupt, Question } from "@/lib/schema/runs/interrupt";
import type { Database } from "@/lib/server/platform/db/database";
import type { PendingApproval } from "./check-decision";

/** A row for something that people were asked, as it is stored. */
export type ApprovalRow = NonNullable<Awaited<ReturnType<Database["approval"]["findUnique"]>>>;

/** The row as events and replies have it. */
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

/** The asks that are about no arguments have what they are about in the same column. */
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
