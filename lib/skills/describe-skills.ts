import { tokensOf } from "@/lib/agent/messages/estimate-tokens";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { SkillEntry } from "./find-skills";

type SkillSettings = AgentConfig["skills"];

/**
 * How a prompt presents these skills: `auto` switches from the list to the search above either of the list's limits
 * (D-22).
 */
export function skillsMode(
  skills: readonly SkillEntry[],
  { mode, catalog: limits }: SkillSettings,
  charsPerToken: number,
): "catalog" | "search" | "inline" {
  if (mode !== "auto") return mode;
  const isShort = tokensOf(skillCatalog(skills), charsPerToken) <= limits.max_tokens;
  return skills.length <= limits.max_skills && isShort ? "catalog" : "search";
}

export function skillCatalog(skills: readonly SkillEntry[]): string {
  return ["Available Skills:", ...skills.map(skillLine)].join("\n");
}

/** A skill's line in the list. */
export function skillLine({ name, description, path }: SkillEntry): string {
  return `- ${[`[${name}]`, description].filter(Boolean).join(" ")} → Read ${path} for full instructions`;
}

/** A skill's full text, escaped so that it can't close its tag. */
export function inlineSkill({ name, path }: SkillEntry, text: string): string {
  const kept = text.trim().replaceAll(/<(\/?\s*skill\b)/gi, "&lt;$1");
  return `<skill name=${JSON.stringify(name)} path=${JSON.stringify(path)}>\n${kept}\n</skill>`;
}

export function skillSearchHint(count: number): string {
  return `You have ${count} skills: instructions for particular kinds of work. Before a task that one of them may cover, call skill_search with a few words about it, then read the SKILL.md of the one that fits with read_file and follow it.`;
}
