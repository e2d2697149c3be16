import { PROMPT_SECTIONS } from "@/lib/prompt/assemble-prompt";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import { buildHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainFailed } from "@/lib/server/extensions/registry";
import { nearestOf } from "@/lib/server/http/field-problems";

/**
 * What a config names that is missing, or set up differently: hooks and prompt sections. Saving such a config is
 * refused; one saved earlier, when the extension was present, reports it and its runs fail.
 */
export function findMissing(config: AgentConfig): FieldProblem[] {
  const { problems } = buildHooks({ config, workspace: null, fileHistory: null, verboseTrace: false });
  return [...problems, ...missingSections(config)];
}

/** Sections that are switched on or off but that nobody defines. */
export function missingSections({ prompt }: AgentConfig): FieldProblem[] {
  const known = [...PROMPT_SECTIONS.map(({ name }) => name), ...extensions().sections.keys()];
  return Object.keys(prompt.sections)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `prompt.sections.${name}`,
      message:
        explainFailed(name, extensions()) ?? `There is no such section. Did you mean "${nearestOf(name, known)}"?`,
    }));
}
