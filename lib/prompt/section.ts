import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PromptFileName } from "@/lib/schema/agents/prompt";
import type { PromptSectionName } from "@/lib/schema/agents/prompt-section";
import type { ToolSchema } from "@/lib/schema/tools/tool";

export type PromptMode = AgentConfig["prompt"]["mode"];

/** The facts about a run that sections use. Features that the run does not have are null or empty. */
export interface PromptContext {
  readonly config: AgentConfig;
  /** The texts from the agent and its hooks, by section name. */
  readonly given: ReadonlyMap<string, string>;
  /** Bootstrap files, cut to their limits. */
  readonly files: ReadonlyMap<PromptFileName, string>;
  readonly tools: readonly ToolSchema[];
  readonly workspace: {
    readonly workdir: string;
    readonly entries: readonly string[];
    readonly omitted: number;
  } | null;
  /** Null if commands cannot run. */
  readonly sandbox: { readonly network: boolean; readonly memoryMb: number; readonly timeoutMs: number } | null;
  readonly user: { readonly id: string; readonly name: string | null };
  readonly nowMs: number;
  readonly agentId: string;
  readonly threadId: string;
  readonly model: string;
}

/** One section: builds its text from the facts, empty to omit the section. `modes` are those in which it is enabled. */
export interface SectionDefinition {
  /** One of PROMPT_SECTION_NAMES, or an extension's. */
  readonly name: string;
  readonly modes: readonly PromptMode[];
  build(facts: PromptContext): string;
}

export const EVERY_MODE: readonly PromptMode[] = ["plain", "full", "minimal"];
export const WITH_SECTIONS: readonly PromptMode[] = ["full", "minimal"];
export const FULL_ONLY: readonly PromptMode[] = ["full"];

/** Whether a config enables the section: by its switch, otherwise by its mode. */
export function isSectionOn({ name, modes }: SectionDefinition, { prompt }: Pick<AgentConfig, "prompt">): boolean {
  return prompt.sections[name] ?? modes.includes(prompt.mode);
}

/** A section whose text comes from a hook, with a fixed position and a switch. */
export function givenSection(name: PromptSectionName): SectionDefinition {
  return { name, modes: EVERY_MODE, build: ({ given }) => given.get(name) ?? "" };
}
