import type { AgentConfig } from "@/lib/schema/agents/agent-config";

/** The skills an agent has: `enabled` null means all that are found. */
export interface SkillSelection {
  readonly paths: readonly string[];
  readonly enabled: readonly string[] | null;
}

/**
 * A config's skills, including the settings of an entry in `hooks`; null if it has none (S0: skills need a backend and
 * a path). The settings themselves are checked by the hook table.
 */
export function selectedSkills(config: AgentConfig): SkillSelection | null {
  const { backend, hooks } = config;
  const entry = skillsEntry(config);
  const isOff = hooks !== null && (entry === undefined || (typeof entry !== "string" && !entry.enabled));
  if (backend === null || isOff) return null;
  const { paths, enabled } = skillSettings(config);
  return paths.length === 0 ? null : { paths, enabled };
}

/** The settings of skills, including those of an entry in `hooks`. */
export function skillSettings(config: AgentConfig): AgentConfig["skills"] {
  const entry = skillsEntry(config);
  const own = typeof entry === "object" ? (entry.config as Partial<AgentConfig["skills"]>) : {};
  return { ...config.skills, ...own };
}

function skillsEntry({ hooks }: AgentConfig) {
  return hooks?.find((hook) => (typeof hook === "string" ? hook : hook.name) === "skills");
}
