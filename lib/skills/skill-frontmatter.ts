import { z } from "zod";
import { parseYaml } from "@/lib/text/yaml/parse-yaml";

/** The metadata above the instructions of a SKILL.md; the description is one line. */
export interface SkillFrontmatter {
  readonly name?: string;
  readonly description: string;
}

const Frontmatter = z.object({ name: z.string().trim().min(1).optional(), description: z.string().optional() });

/** Above the instructions there is a name, a description and little else. */
const LIMITS = { chars: 20_000, tokens: 2_000, aliases: 10 };

/** Of this process, newest last. Agents list the same skills at the start of every run. */
const known = new Map<string, SkillFrontmatter | Error>();
const MAX_KNOWN = 1_000;

/**
 * The front matter of a SKILL.md; null when it has none. Throws for YAML that is broken, hostile or of other types. The
 * same text is parsed once.
 */
export function parseSkillFrontmatter(text: string): SkillFrontmatter | null {
  const match = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return null;
  const yaml = match[1] ?? "";
  const read = known.get(yaml) ?? readFrontmatter(yaml);
  known.delete(yaml);
  known.set(yaml, read);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? "");
  if (read instanceof Error) throw read;
  return read;
}

function readFrontmatter(yaml: string): SkillFrontmatter | Error {
  const { value, problems } = parseYaml(yaml, LIMITS);
  if (problems[0]) return new Error(problems[0].message);
  const parsed = Frontmatter.safeParse(value ?? {});
  if (!parsed.success) return parsed.error;
  const { name, description = "" } = parsed.data;
  return { ...(name === undefined ? {} : { name: toOneLine(name) }), description: toOneLine(description) };
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
