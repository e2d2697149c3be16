import { z } from "zod";
import { cleanText } from "@/lib/agent/messages/clean-text";
import type { DelegateInfo } from "@/lib/agent/subagents";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";

/** How many handoffs a conversation may have before a person writes again. */
const MAX_IN_A_ROW = 3;

interface Handoff {
  readonly delegates: readonly DelegateInfo[];
  /** The number of handoffs since a person last wrote. */
  readonly count: number;
  /** Copies the attachments of the open turn to the agent's files and returns their paths. */
  prepare(agentId: string): Promise<readonly string[]>;
}

/** Hands the conversation over to another agent, which answers from then on; the current agent's run ends. */
export function handoffTool({ delegates, count, prepare }: Handoff): Tool {
  let handedTo: string | null = null;
  return defineTool({
    name: "handoff",
    kind: "agent",
    question: "Hand the conversation to another agent?",
    approval: "never",
    description:
      "Hands the conversation to another agent, which reads it and answers the user from now on. Your turn ends with the call. Use it when the rest is that agent's work; use delegate when you need its answer yourself.",
    input: z.object({
      agent: z.string().min(1).max(200).describe("The agent's id, from DELEGATION.md or find_agent"),
      reason: z.string().trim().min(1).max(500).describe("Why, in one sentence for the user"),
      summary: z.string().max(10_000).optional().describe("What that agent should know besides the conversation"),
    }),
    resumable: true,
    endsRun: true,
    async execute({ agent, reason, summary = "" }, { call, context }) {
      if (count >= MAX_IN_A_ROW) {
        throw new Error(
          `Not handed over: that has happened ${MAX_IN_A_ROW} times since the user wrote. Answer the user yourself.`,
        );
      }
      if (!delegates.some(({ id }) => id === agent)) throw new Error(`There is no agent "${agent}".`);
      if (handedTo !== null) throw new Error(`The conversation already goes to ${handedTo}.`);
      handedTo = agent;
      const files = await prepare(agent);
      const why = cleanText(reason);
      context.log.emit({
        type: "handoff",
        step: context.step,
        toolCallId: call.id,
        from: context.agentId,
        to: agent,
        reason: why,
      });
      const attached = files.length === 0 ? "" : ` The user's files are in its workspace: ${files.join(", ")}.`;
      const known = summary === "" ? "" : `\n\n${cleanText(summary)}`;
      return `The conversation was handed over to ${agent}, which answers from here on. ${why}${attached}${known}`;
    },
  });
}
