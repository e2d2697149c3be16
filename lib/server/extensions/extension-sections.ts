import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { SectionDefinition } from "@/lib/prompt/section";
import { extensions } from "./extensions";

/** The extensions' prompt sections as the assembler accepts them. */
export function extensionSections(): SectionDefinition[] {
  return [...extensions().sections.values()].map(({ definition, file }) => ({
    name: definition.name,
    modes: definition.modes,
    build({ config, agentId: id, user, threadId, model, nowMs: now, tools }) {
      try {
        const text: unknown = definition.build({ agent: { id, config }, user, threadId, model, now, tools });
        if (typeof text === "string") return text;
        throw new TypeError("it returned no text");
      } catch (error) {
        throw new Error(`section ${definition.name} of ${file}: ${messageOf(error)}`, { cause: error });
      }
    },
  }));
}
