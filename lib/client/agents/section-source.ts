import type { PromptSectionName } from "@/lib/schema/agents/prompt-section";
import type { ConfigPath } from "./config-text/config-values";

/** The field that determines a section's text; sections without one are switched by name. */
const FIELDS: Readonly<Record<PromptSectionName, ConfigPath>> = {
  identity: ["system_prompt"],
  bootstrap: ["prompt", "files", "max_chars"],
  tooling: ["tools"],
  safety: ["prompt", "sections"],
  skills: ["skills", "paths"],
  skill_search: ["skills", "mode"],
  memory: ["memory", "paths"],
  memory_recall: ["memory", "recall", "enabled"],
  workspace: ["backend", "type"],
  sandbox: ["backend", "type"],
  user: ["prompt", "sections"],
  time: ["prompt", "sections"],
  messaging: ["prompt", "sections"],
  extra_context: ["extra_context"],
  project_context: ["prompt", "files", "max_chars"],
  silent_replies: ["silent_replies", "max_other_chars"],
  heartbeats: ["heartbeat"],
  subagents: ["subagents"],
  delegation: ["delegates"],
  team: ["prompt", "sections"],
  runtime: ["prompt", "sections"],
};

/** The config field behind a prompt section; null for those of hooks and extensions. */
export function sectionField(name: string): ConfigPath | null {
  return name in FIELDS ? FIELDS[name as PromptSectionName] : null;
}
