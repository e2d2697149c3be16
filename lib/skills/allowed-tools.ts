import { simpleCommand } from "@/lib/schema/tools/command-pattern";

/** An entry of `allowed-tools`: a tool, by its name or an alias, and a pattern for its calls; null allows all calls. */
export interface AllowedTool {
  readonly tool: string;
  readonly pattern: string | null;
}

const ENTRY = /([^\s,()]+)(?:\(([^()]*)\))?/g;

/**
 * Parses `allowed-tools` in the Agent Skills format: `Read Bash(git:*) mcp__docs__*`, separated by spaces or commas;
 * some skills use a YAML list.
 */
export function parseAllowedTools(given: string | readonly string[]): AllowedTool[] {
  const text = typeof given === "string" ? given : given.join(" ");
  return [...text.matchAll(ENTRY)].map(([, tool = "", pattern]) => ({
    tool,
    pattern: pattern === undefined || pattern === "*" || pattern === "" ? null : pattern,
  }));
}

/** The entry as written. */
export function allowedToolText({ tool, pattern }: AllowedTool): string {
  return pattern === null ? tool : `${tool}(${pattern})`;
}

/**
 * Whether a command is one simple command that begins with the words of the pattern: `git:*` and `git *` allow git with
 * any arguments, `git status` exactly that. Never true for text that could run a second command.
 */
export function commandMatches(pattern: string, command: string): boolean {
  const isPrefix = pattern.endsWith(":*") || pattern.endsWith(" *");
  const wanted = simpleCommand(isPrefix ? pattern.slice(0, -2) : pattern);
  const words = simpleCommand(command);
  if (wanted === null || words === null) return false;
  if (!isPrefix && words.length !== wanted.length) return false;
  return wanted.every((word, at) => words[at] === word);
}
