import { z } from "zod";
import { parseYaml } from "@/lib/text/yaml/parse-yaml";
import { type AllowedTool, parseAllowedTools } from "./allowed-tools";

/** The metadata above the instructions of a SKILL.md; the description is one line. */
export interface SkillFrontmatter {
  readonly name?: string;
  readonly description: string;
  readonly license?: string;
  /** The skill's requirements, for people. */
  readonly compatibility?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Null if all tools are allowed. */
  readonly allowedTools: readonly AllowedTool[] | null;
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Metadata = z.record(z.string(), Scalar);
const AllowedTools = z.union([z.string(), z.array(z.string())]);

/** The fields of the Agent Skills format; malformed ones that only people read are ignored. */
const Frontmatter = z.object({
  name: z.string().trim().min(1).optional(),
  description: z.string().optional(),
  license: z.string().optional().catch(undefined),
  compatibility: z.string().optional().catch(undefined),
  metadata: Metadata.optional().catch(undefined),
  "allowed-tools": AllowedTools.optional(),
});

const MAX_COMPATIBILITY_CHARS = 500;

/** Additional requirements for a new skill. */
const StrictFrontmatter = Frontmatter.extend({
  license: z.string().optional(),
  compatibility: z.string().max(MAX_COMPATIBILITY_CHARS).optional(),
  metadata: Metadata.optional(),
});

/** The problem with the optional fields of a front matter; null if they are valid. */
export function frontmatterProblem(text: string): string | null {
  const { value, problems } = parseYaml(FRONT_MATTER.exec(text)?.[1] ?? "", LIMITS);
  const [issue] = problems.length > 0 ? [] : (StrictFrontmatter.safeParse(value ?? {}).error?.issues ?? []);
  return issue ? `${issue.path.join(".")}: ${issue.message}` : null;
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/;

/** Front matter is a name, a description and little else. */
const LIMITS = { chars: 20_000, tokens: 2_000, aliases: 10 };

/** A cache of this process, newest last: agents list the same skills at the start of every run. */
const known = new Map<string, SkillFrontmatter | Error>();
const MAX_KNOWN = 1_000;

/**
 * Parses the front matter of a SKILL.md; null if it has none. Throws for YAML that is invalid, hostile or of the wrong
 * types. Results are cached by text.
 */
export function parseSkillFrontmatter(text: string): SkillFrontmatter | null {
  const match = FRONT_MATTER.exec(text);
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
  const { name, description = "", license, compatibility, metadata = {}, "allowed-tools": tools } = parsed.data;
  const allowed = tools === undefined ? [] : parseAllowedTools(tools);
  return {
    ...(name === undefined ? {} : { name: toOneLine(name) }),
    description: toOneLine(description),
    ...(license === undefined ? {} : { license: toOneLine(license) }),
    ...(compatibility === undefined ? {} : { compatibility: toOneLine(compatibility) }),
    metadata,
    allowedTools: allowed.length === 0 ? null : allowed,
  };
}

function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
