import { z } from "zod";
import { ApprovalData, BudgetData, ConnectData, QuestionData } from "@/lib/schema/messages/ui-message";

/** GET `/api/approvals/{id}/outcome`: what became of an ask, as its card in the thread shows it. */
export const AskOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approval"), data: ApprovalData }),
  z.object({ kind: z.literal("question"), data: QuestionData }),
  z.object({ kind: z.literal("budget"), data: BudgetData }),
  z.object({ kind: z.literal("connect"), data: ConnectData }),
]);
export type AskOutcome = z.infer<typeof AskOutcome>;
