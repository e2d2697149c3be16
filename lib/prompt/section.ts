import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PromptFileName } from "@/lib/schema/agents/prompt";
import type { PromptSectionName } from "@/lib/schema/agents/prompt-section";
import type { ToolSchema } from "@/lib/schema/tools/tool";

export type PromptMode = AgentConfig["prompt"]["mode"];

/** What the sections know about a run. Features that the run does not have are null or empty. */
export interface PromptFacts {
  readonly config: AgentConfig;
  /** What the agent and its hooks gave, by name. */
  readonly given: ReadonlyMap<string, string>;
  /** Bootstrap files, already cut to their limits. */
  readonly files: ReadonlyMap<PromptFileName, string>;
  readonly tools: readonly ToolSchema[];
  readonly workspace: {
    readonly workdir: string;
    readonly entries: readonly string[];
    readonly omitted: number;
  } | null;
  /** Null where commands cannot run. */
  readonly sandbox: { readonly network: boolean; readonly memoryMb: number; readonly timeoutMs: number } | null;
  readonly user: { readonly id: string; readonly name: string | null };
  readonly nowMs: number;
  readonly agentId: string;
  readonly threadId: string;
  readonly model: string;
}

/**
 * One section: its text built from the facts, empty when it has nothing to say. `modes` are those in which it is
 * enabled.
 */
export interface SectionDefinition {
  /** One of PROMPT_SECTION_NAMES, or an extension's. */
  readonly name: string;
  readonly modes: readonly PromptMode[];
  build(facts: PromptFacts): string;
}

export const EVERY_MODE: readonly PromptMode[] = ["plain", "full", "minimal"];
export const WITH_SECTIONS: readonly PromptMode[] = ["full", "minimal"];
export const FULL_ONLY: readonly PromptMode[] = ["full"];

/** Whether a config has the section on: its switch, else its mode. */
export function isSectionOn({ name, modes }: SectionDefinition, { prompt }: Pick<AgentConfig, "prompt">): boolean {
  return prompt.sections[name] ?? modes.includes(prompt.mode);
}

/** A section that a hook writes; it has its place in the order and can be switched off. */
export function givenSection(name: PromptSectionName): SectionDefinition {
  return { name, modes: EVERY_MODE, build: ({ given }) => given.get(name) ?? "" };
}
