import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { createSearchIndex, searchIndex } from "@/lib/tools/memory/search-index";

export interface SearchableSkill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
}

/** Finds the `top` best skills by BM25 over their names and descriptions. */
export function skillSearchTool(skills: readonly SearchableSkill[], top: number): Tool {
  const index = createSearchIndex();
  for (const { name, description, path } of skills) index.add({ id: path, title: name, text: description });
  const byPath = new Map(skills.map((skill) => [skill.path, skill]));
  return defineTool({
    name: "skill_search",
    kind: "read",
    description: "Find skills by what they are for. Read the SKILL.md of the one that fits before you use it.",
    input: z.object({ query: z.string().trim().min(1).describe("What the skill should help with.") }),
    annotations: { readOnly: true },
    async execute({ query }) {
      const found = searchIndex(index, query, { top }).flatMap(({ id }) => byPath.get(id) ?? []);
      return JSON.stringify(found.map(({ name, description, path }) => ({ name, description, path })));
    },
  });
}
