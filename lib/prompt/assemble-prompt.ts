import type { PromptSection } from "@/lib/agent/model";
import { bootstrapSection } from "./bootstrap-section";
import { extraContextSection } from "./extra-context-section";
import { identitySection } from "./identity-section";
import { memoryRecallSection } from "./memory-recall-section";
import { memorySection } from "./memory-section";
import { projectContextSection } from "./project-context-section";
import { runtimeSection } from "./runtime-section";
import { safetySection } from "./safety-section";
import { sandboxSection } from "./sandbox-section";
import { isSectionOn, type PromptFacts, type SectionDefinition } from "./section";
import { silentRepliesSection } from "./silent-replies-section";
import { skillSearchSection } from "./skill-search-section";
import { skillsSection } from "./skills-section";
import { subagentsSection } from "./subagents-section";
import { timeSection } from "./time-section";
import { toolingSection } from "./tooling-section";
import { userSection } from "./user-section";
import { workspaceSection } from "./workspace-section";

/** The sections of S4 §2 in their order, and the memory documents of S0 before section 7. */
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
  extraContextSection,
  projectContextSection,
  silentRepliesSection,
  subagentsSection,
  runtimeSection,
];

/** S3 reads the project context before skills and memory (D-81); all else stands as in S4. */
function inOrder(order: PromptFacts["config"]["prompt"]["order"]): readonly SectionDefinition[] {
  if (order === "s4") return PROMPT_SECTIONS;
  const others = PROMPT_SECTIONS.filter((section) => section !== projectContextSection);
  return others.toSpliced(others.indexOf(skillsSection), 0, projectContextSection);
}

/** Text of a client's own system messages comes right after the agent's (D-33). */
const CLIENT = "client";

/**
 * The system prompt as an ordered list of sections: those enabled by the config that have something to say. Text from
 * hooks under a name that is not a section's comes last, in the order given; the sections of extensions (`more`) come
 * before it.
 */
export function assemblePrompt(
  facts: Omit<PromptFacts, "given">,
  given: readonly PromptSection[],
  more: readonly SectionDefinition[] = [],
): PromptSection[] {
  const byName = new Map<string, string>();
  for (const { name, text } of given) {
    const before = byName.get(name);
    byName.set(name, before === undefined ? text : `${before}\n\n${text}`);
  }
  const all: PromptFacts = { ...facts, given: byName };
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
