import type { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { type NamedTool, pathMatcher } from "./permission-rules";

/** The rules about single files, for tools that find files or show their content in passing. */
export interface ReadingRules {
  /** Whether the tool's results may name the file: no rule denies reading it, nor this tool on it. */
  mayName(path: string, tool?: NamedTool): boolean;
  /** Whether the tool's results may quote the file: the same, and no rule asks a person before it is read. */
  mayQuote(path: string, tool?: NamedTool): boolean;
}

/**
 * The deny and ask rules that name a path, of the tool `reading` and of each other tool for its own results. Null if
 * there are none. Rules without a path are about a tool, not about files.
 */
export function readingRules(
  { enabled, deny, ask }: Pick<PermissionsConfig, "enabled" | "deny" | "ask">,
  workdir: string,
  reading: NamedTool,
): ReadingRules | null {
  const withPath = (rules: typeof deny) => rules.filter((rule) => typeof rule !== "string");
  if (!enabled || (withPath(deny).length === 0 && withPath(ask).length === 0)) return null;
  const known = new Map<NamedTool, { denies: PathTest; asks: PathTest }>();
  const of = (tool: NamedTool) => {
    const compile = (rules: typeof deny) => anyOf(rules.flatMap((rule) => pathMatcher(rule, tool, workdir) ?? []));
    const rules = known.get(tool) ?? { denies: compile(deny), asks: compile(ask) };
    known.set(tool, rules);
    return rules;
  };
  const mayName = (path: string, tool = reading) => !of(reading).denies(path) && !of(tool).denies(path);
  return {
    mayName,
    mayQuote: (path, tool = reading) => mayName(path, tool) && !of(reading).asks(path) && !of(tool).asks(path),
  };
}

type PathTest = (path: string) => boolean;

function anyOf(tests: readonly PathTest[]): PathTest {
  return (path) => tests.some((test) => test(path));
}
