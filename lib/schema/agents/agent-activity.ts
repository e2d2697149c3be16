import { z } from "zod";

const Figures = z.object({
  runs: z.number(),
  /** Of these, how many failed or were interrupted. */
  failed: z.number(),
  /** Of those whose cost is known. */
  costUsd: z.number(),
  /** Runs whose cost is unknown. */
  unknownCosts: z.number(),
});

const AgentActivity = Figures.extend({
  agentId: z.string(),
  /** Start of its latest run; null if no run is kept. */
  lastUsedAt: z.string().nullable(),
  /** Every day of the period, oldest first. */
  days: z.array(Figures.extend({ day: z.string() })),
  /** Why its latest run failed; null unless it did. */
  lastFailure: z.object({ code: z.string().nullable(), message: z.string().nullable() }).nullable(),
  aliases: z.array(z.object({ name: z.string(), version: z.number() })),
  /** Null if there is no draft, and for everybody but admins. */
  draft: z
    .object({
      revision: z.number(),
      baseVersion: z.number(),
      isBehind: z.boolean(),
      /** Fields that differ from the current version; null for a text that can't be read. */
      changes: z.number().nullable(),
      updatedAt: z.string(),
      updatedByName: z.string().nullable(),
    })
    .nullable(),
});
export type AgentActivity = z.infer<typeof AgentActivity>;

/** GET `/api/agent-activity`: days are in UTC. Test runs of drafts do not count. */
export const AgentActivityList = z.object({ agents: z.array(AgentActivity) });

/** `archived=true`: deleted agents that can be restored, instead of the others; for admins. */
export const AgentListQuery = z.strictObject({ archived: z.stringbool().optional() });

/** A starter config, as its author wrote it. */
export const AgentTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  yaml: z.string(),
  /** Parts that do not work on this server as they are, such as a missing sandbox. */
  warnings: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type AgentTemplate = z.infer<typeof AgentTemplate>;
export const AgentTemplateList = z.object({ templates: z.array(AgentTemplate) });

/** What a new agent of this name starts from without a template, as YAML. */
export function blankAgent(name: string): string {
  return `name: ${JSON.stringify(name)}
description: ""
system_prompt: ""
tools: [calculate, current_datetime, ask_user]
permissions:
  enabled: true
  mode: accept_edits
backend:
  type: state
`;
}
