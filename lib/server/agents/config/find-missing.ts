import { PROMPT_SECTIONS } from "@/lib/prompt/assemble-prompt";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import { nearestName } from "@/lib/schema/problems/nearest-name";
import { buildHooks, missingHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainMissing } from "@/lib/server/extensions/registry";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";

/**
 * Hooks, prompt sections and extension tools that a config names but that are missing or set up differently. Saving
 * such a config is refused; one saved earlier, when the extension was present, reports the problem and its runs fail.
 */
export function findMissing(config: AgentConfig): FieldProblem[] {
  const { problems } = buildHooks({ config, workspace: null, fileHistory: null, verboseTrace: false });
  return [...problems, ...missingParts(config)];
}

/** The extensions named in a config that this process lacks, as a sentence; null if it has them all. */
export function missingHere(config: AgentConfig): string | null {
  const [first] = [...missingHooks(config), ...missingParts(config)];
  return first ? `${first.path}: ${first.message}` : null;
}

/** The named sections and tools whose extension is missing; missing hooks are reported when hooks are built. */
export function missingParts(config: AgentConfig): FieldProblem[] {
  return [...missingSections(config), ...missingTools(config)];
}

/** Tools whose extension failed or was removed. Any other unknown name may still be registered over HTTP. */
function missingTools({ tools }: AgentConfig): FieldProblem[] {
  const [names, path] = Array.isArray(tools) ? [tools, "tools"] : [tools.allow, "tools.allow"];
  return names.flatMap((name, index) => {
    const isThere = extensions().tools.has(name) || builtinToolInfos().some((tool) => tool.name === name);
    const message = isThere ? null : explainMissing(name, extensions());
    return message === null ? [] : [{ path: `${path}.${index}`, message }];
  });
}

function guess(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** Sections that are switched on or off but not defined anywhere. */
function missingSections({ prompt }: AgentConfig): FieldProblem[] {
  const known = [...PROMPT_SECTIONS.map(({ name }) => name), ...extensions().sections.keys()];
  return Object.keys(prompt.sections)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: `prompt.sections.${name}`,
      message: explainMissing(name, extensions()) ?? `There is no such section.${guess(name, known)}`,
    }));
}
