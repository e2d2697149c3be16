import type { PromptSection } from "@/lib/agent/model";
import { isSectionOn, type PromptContext, type SectionDefinition } from "./section";
import { bootstrapSection } from "./sections/bootstrap-section";
import { extraContextSection } from "./sections/extra-context-section";
import { heartbeatsSection } from "./sections/heartbeats-section";
import { identitySection } from "./sections/identity-section";
import { memoryRecallSection } from "./sections/memory-recall-section";
import { memorySection } from "./sections/memory-section";
import { messagingSection } from "./sections/messaging-section";
import { delegationSection } from "./sections/other-agents/delegation-section";
import { subagentsSection } from "./sections/other-agents/subagents-section";
import { teamSection } from "./sections/other-agents/team-section";
import { projectContextSection } from "./sections/project-context-section";
import { runtimeSection } from "./sections/runtime-section";
import { safetySection } from "./sections/safety-section";
import { sandboxSection } from "./sections/sandbox-section";
import { silentRepliesSection } from "./sections/silent-replies-section";
import { skillSearchSection } from "./sections/skill-search-section";
import { skillsSection } from "./sections/skills-section";
import { timeSection } from "./sections/time-section";
import { toolingSection } from "./sections/tooling-section";
import { userSection } from "./sections/user-section";
import { workspaceSection } from "./sections/workspace-section";

/** The sections of S4 §2 in order, and S0's memory documents before section 7. */
export const PROMPT_SECTIONS: readonly SectionDefinition[] = [
  identitySection,
  bootstrapSection,
  toolingSection,
  safetySection,
  skillsSection,
  skillSearchSection,
  memorySection,
  memoryRecallSection,
  workspaceSection,
  sandboxSection,
  userSection,
  timeSection,
  messagingSection,
  extraContextSection,
  projectContextSection,
  silentRepliesSection,
  heartbeatsSection,
  subagentsSection,
  delegationSection,
  teamSection,
  runtimeSection,
];

/** S3 puts the project context before skills and memory (D-81); the rest is as in S4. */
function inOrder(order: PromptContext["config"]["prompt"]["order"]): readonly SectionDefinition[] {
  if (order === "s4") return PROMPT_SECTIONS;
  const others = PROMPT_SECTIONS.filter((section) => section !== projectContextSection);
  return others.toSpliced(others.indexOf(skillsSection), 0, projectContextSection);
}

/** The text of a client's own system messages follows the agent's (D-33). */
const CLIENT = "client";

/**
 * Builds the system prompt as an ordered list of sections: those that the config enables and that have text. Text that
 * hooks give under other names comes last, in the order given, after the sections of extensions (`more`).
 */
export function assemblePrompt(
  facts: Omit<PromptContext, "given">,
  given: readonly PromptSection[],
  more: readonly SectionDefinition[] = [],
): PromptSection[] {
  const byName = new Map<string, string>();
  for (const { name, text } of given) {
    const before = byName.get(name);
    byName.set(name, before === undefined ? text : `${before}\n\n${text}`);
  }
  const all: PromptContext = { ...facts, given: byName };
  const sections = [...inOrder(facts.config.prompt.order), ...more]
    .filter((section) => isSectionOn(section, facts.config))
    .map((section) => ({
      name: section.name,
      text: section.build(all),
    }));
  const own = new Set<string>([...PROMPT_SECTIONS.map(({ name }) => name), CLIENT]);
  const client = { name: CLIENT, text: byName.get(CLIENT) ?? "" };
  const at = sections[0]?.name === "identity" ? 1 : 0;
  const ordered = [
    ...sections.slice(0, at),
    client,
    ...sections.slice(at),
    ...given.filter(({ name }) => !own.has(name)),
  ];
  return ordered.filter(({ text }) => text !== "");
}
