import { z } from "zod";
import { AgentId } from "@/lib/schema/agents/agent-id";

export const AvailableSkillsQuery = z.strictObject({ agent_id: AgentId.optional() });
export const AvailableSkills = z.object({
  skills: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      path: z.string(),
      /** `library`: installed for all agents; `workspace`: in the caller's own files. */
      source: z.enum(["library", "workspace"]),
      agent_id: z.string(),
    }),
  ),
  /** Skills that agents skip, and why. */
  invalid: z.array(z.object({ path: z.string(), problem: z.string(), agent_id: z.string() })),
});
export type AvailableSkills = z.infer<typeof AvailableSkills>;
