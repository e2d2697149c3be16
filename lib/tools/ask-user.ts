import { z } from "zod";
import { approvalExpiry } from "@/lib/agent/interrupts";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { Question } from "@/lib/schema/runs/interrupt";

/**
 * Asks the user one to four questions (S2's AskUserQuestion). The call is left pending; once answered, the same call
 * returns the answers in question order.
 */
export const askUserTool: Tool = defineTool({
  name: "ask_user",
  kind: "question",
  approval: "never",
  description:
    "Ask the user one to four questions and wait for the answers. Give options where the answer is a choice; set multiple when several may be chosen. Ask only what you can't find out yourself.",
  input: z.object({ questions: z.array(Question).min(1).max(4) }),
  annotations: { readOnly: true },
  aliases: ["AskUser", "AskUserQuestion"],
  async execute({ questions }, { call, context }) {
    const { interrupts, log, step } = context;
    const decision = interrupts.decisionOf("question", call.id);
    if (decision?.decision === "answer") return JSON.stringify({ answers: decision.answers ?? [] });
    if (decision?.decision === "expired") return { refused: "expired", error: EXPIRED };
    if (decision) return { refused: "declined", error: notAnswered(decision.reason) };
    if (!interrupts.canAsk) throw new Error(NOBODY_TO_ASK);
    const asked = { step, toolCallId: call.id, tool: call.name, args: call.args, questions };
    log.emit({ type: "question.asked", ...asked, ...approvalExpiry(context) });
    return { pending: "question" };
  },
});

const NOBODY_TO_ASK =
  "Nobody can be asked in this run. Go on with what you know, and say in your answer what you have assumed.";

const EXPIRED =
  "The questions expired: nobody answered in time.\nDo not ask again in this turn. Go on with what you know, or say what is missing.";

function notAnswered(reason: string | undefined): string {
  const why = reason === undefined || reason.trim() === "" ? "." : `: ${reason}`;
  return `The user does not want to answer${why}\nDo not ask again. Go on with what you know, or say what is missing.`;
}
