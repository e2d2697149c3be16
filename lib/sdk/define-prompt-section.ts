import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolSchema } from "@/lib/schema/tools/tool";
import { checkDefinition } from "./check-definition";

/** The facts available to a section. */
export interface SectionContext {
  readonly agent: { readonly id: string; readonly config: AgentConfig };
  readonly user: { readonly id: string; readonly name: string | null };
  readonly threadId: string;
  /** `provider:model`. */
  readonly model: string;
  /** Unix time in ms. */
  readonly now: number;
  /** The tools offered to the model in this request. */
  readonly tools: readonly ToolSchema[];
}

export type SectionMode = "full" | "minimal";

/** A section of the system prompt that agents switch on or off with `prompt.sections.<name>`. */
export interface SectionExtension {
  readonly kind: "section";
  readonly name: string;
  readonly modes: readonly SectionMode[];
  build(facts: SectionContext): string;
}

/**
 * Defines a section of the system prompt. `modes` are the values of `prompt.mode` that include it by default; with an
 * empty list only agents that enable it have it. Its text is built for every request; an empty text omits the section.
 */
export function definePromptSection(definition: {
  readonly name: string;
  readonly modes: readonly SectionMode[];
  readonly build: (facts: SectionContext) => string;
}): SectionExtension {
  const { name, modes, build } = definition;
  checkDefinition("definePromptSection", name, { build });
  if (!Array.isArray(modes) || modes.some((mode) => mode !== "full" && mode !== "minimal")) {
    throw new TypeError(`definePromptSection ${name}: modes must be a list of "full" and "minimal".`);
  }
  return { kind: "section", name, modes, build };
}
