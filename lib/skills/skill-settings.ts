import type { AgentConfig } from "@/lib/schema/agents/agent-config";

/** Which skills an agent has: `enabled` null means all that are found. */
export interface SkillSelection {
  readonly paths: readonly string[];
  readonly enabled: readonly string[] | null;
}

/**
 * The skills of a config, with what an entry of `hooks` sets; null when it has none (S0: skills need a backend and a
 * path). The settings themselves are checked by the hook table.
 */
export function selectedSkills({ backend, skills, hooks }: AgentConfig): SkillSelection | null {
  const entry = hooks?.find((hook) => (typeof hook === "string" ? hook : hook.name) === "skills");
  const isOff = hooks !== null && (entry === undefined || (typeof entry !== "string" && !entry.enabled));
  if (backend === null || isOff) return null;
  const settings = typeof entry === "object" ? (entry.config as Partial<SkillSelection>) : {};
  const { paths, enabled } = { ...skills, ...settings };
  return paths.length === 0 ? null : { paths, enabled };
}
