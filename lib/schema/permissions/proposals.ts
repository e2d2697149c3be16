import { z } from "zod";
import { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import { AgentId } from "@/lib/schema/agents/agent-id";

/**
 * An allow rule for calls that people allowed often and never denied or edited. `pattern` is the rule's limit in words:
 * the first words of a command, or arguments.
 */
export const Proposal = z.object({
  id: z.string(),
  tool: z.string(),
  pattern: z.string(),
  scope: z.enum(["command", "arguments"]),
  rule: PermissionRule,
  /** How often people allowed such a call, and how many of them. */
  calls: z.number(),
  people: z.number(),
  /** The only person who did; null if there are several. */
  onlyBy: z.string().nullable(),
  /** The first time (ISO 8601). */
  since: z.string(),
  /** The newest calls, at most 3. */
  examples: z.array(
    z.object({ runId: z.string(), traceId: z.string(), spanId: z.string(), gist: z.string(), startedAt: z.string() }),
  ),
  /** What the rule would have done with the calls of the same time, each judged alone. */
  whatIf: z.object({ promptsSaved: z.number(), newlyAllowed: z.number(), deniedByPeople: z.number() }),
});
export type Proposal = z.infer<typeof Proposal>;

/** Most often allowed first. Calls of the last 90 days count. */
export const ProposalList = z.object({ proposals: z.array(Proposal) });
export type ProposalList = z.infer<typeof ProposalList>;

export const ProposalQuery = z.strictObject({ agentId: AgentId });

export const ProposalId = z.string().min(1).max(300);

/** `accepted` adds the rule to the agent's draft; `dismissed` is for good. */
export const ProposalBody = z.strictObject({ state: z.enum(["accepted", "dismissed"]) });
export type ProposalBody = z.infer<typeof ProposalBody>;
