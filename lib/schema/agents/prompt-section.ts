import { z } from "zod";

/** The sections of a system prompt in order (S4 §2); `memory` holds the documents of `memory.paths` (S0). */
export const PROMPT_SECTION_NAMES = [
  "identity",
  "bootstrap",
  "tooling",
  "safety",
  "skills",
  "skill_search",
  "memory",
  "memory_recall",
  "workspace",
  "sandbox",
  "user",
  "time",
  "messaging",
  "extra_context",
  "project_context",
  "silent_replies",
  "heartbeats",
  "subagents",
  "delegation",
  "team",
  "runtime",
] as const;
export type PromptSectionName = (typeof PROMPT_SECTION_NAMES)[number];

const switches = Object.fromEntries(PROMPT_SECTION_NAMES.map((name) => [name, z.boolean().optional()])) as Record<
  PromptSectionName,
  z.ZodOptional<z.ZodBoolean>
>;

/**
 * Sections switched on or off, overriding the mode's choice. Extensions have their own sections, so a name that is not
 * here is checked when a config is saved.
 */
export const PromptSectionSwitches = z.object(switches).catchall(z.boolean());
