import { parse } from "yaml";
import { z } from "zod";

/** The metadata above the instructions of a SKILL.md; the description is one line. */
export interface SkillFrontmatter {
  readonly name?: string;
  readonly description: string;
}

const Frontmatter = z.object({ name: z.string().trim().min(1).optional(), description: z.string().optional() });

/** The front matter of a SKILL.md; null when it has none. Throws for YAML that is broken, hostile or of other types. */
export function parseSkillFrontmatter(text: string): SkillFrontmatter | null {
  const match = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return null;
  const yaml: unknown = parse(match[1] ?? "", { maxAliasCount: 10 });
  const { name, description = "" } = Frontmatter.parse(yaml ?? {});
  return { ...(name === undefined ? {} : { name: toOneLine(name) }), description: toOneLine(description) };
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
