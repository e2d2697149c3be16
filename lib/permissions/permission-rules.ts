import picomatch from "picomatch";
import { normalizePath } from "@/lib/agent/workspace";
import type { PermissionRule } from "@/lib/schema/agent-config-rules";

/** A call as rules see it: its tool's own name and argument names (D-27, `Toolbox.canonical`). */
export interface PermissionCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What rules know of the tool and the agent beside the call. */
export interface RuleSubject {
  /** Other names of the tool in rules; those that are a registered tool's own name are left out. */
  readonly aliases: readonly string[];
  /** Other names of its arguments: alias → name. */
  readonly argumentAliases: Readonly<Record<string, string>>;
  /** Of the agent's backend; paths of file tools are relative to it. */
  readonly workdir: string;
}

/** S2's and Claude's tool names as rules may use them (D-43), beside the aliases that the tools themselves accept. */
const RULE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  read_file: ["Read"],
  write_file: ["Write"],
  edit_file: ["Edit"],
  ls: ["LS"],
  glob: ["Glob"],
  grep: ["Grep"],
  execute: ["Bash"],
  ask_user: ["AskUser", "AskUserQuestion"],
  task: ["Task", "spawn", "subagent"],
};

/** The tools whose `path` names a file of the workspace. */
export const FILE_TOOLS = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];

/** A tool's names in rules beside its own. */
export function ruleAliases(tool: string, ofTool: readonly string[] = []): string[] {
  return [...new Set([...ofTool, ...(RULE_ALIASES[tool] ?? [])])];
}

/** Whether the rule says anything about the call. */
export function ruleMatches(rule: PermissionRule, call: PermissionCall, subject: RuleSubject): boolean {
  if (!ruleNames(rule, call.tool, subject.aliases)) return false;
  if (typeof rule === "string") return true;
  return Object.entries(rule.args).every(([key, pattern]) => {
    const name = subject.argumentAliases[key] ?? key;
    return argumentMatches(pattern, name, call, subject.workdir);
  });
}

/** Whether the rule names the tool, whatever its arguments. */
export function ruleNames(rule: PermissionRule, tool: string, aliases: readonly string[]): boolean {
  const pattern = typeof rule === "string" ? rule : rule.tool;
  const isMatch = picomatch(pattern);
  return [tool, ...aliases].some((name) => name === pattern || isMatch(name));
}

/** Whether the rule says the same about every call of the tool. */
export function isWithoutArguments(rule: PermissionRule): boolean {
  return typeof rule === "string" || Object.keys(rule.args).length === 0;
}

/**
 * Paths are matched as paths (`secrets/**`, hidden files too), everything else as text in which `*` stands for
 * anything and `?` for one character. A missing argument matches only `*`, a missing path is the root.
 */
function argumentMatches(pattern: string, name: string, { tool, args }: PermissionCall, workdir: string): boolean {
  const value = args[name];
  if (name === "path" && FILE_TOOLS.includes(tool)) {
    const path = relativePath(typeof value === "string" ? value : "", workdir);
    return picomatch.isMatch(path === "" ? "." : path, relativePath(pattern, workdir) || ".", { dot: true });
  }
  if (value === undefined) return pattern === "*";
  return wildcardMatches(pattern, typeof value === "string" ? value : JSON.stringify(value));
}

/** A path that the tool will refuse stays as it is. */
function relativePath(path: string, workdir: string): string {
  return normalized(path, workdir) ?? path;
}

/** Whether the call is that of a file tool with a path which is none in the workspace. */
export function hasBadPath({ tool, args }: PermissionCall, workdir: string): boolean {
  return FILE_TOOLS.includes(tool) && typeof args.path === "string" && normalized(args.path, workdir) === null;
}

function normalized(path: string, workdir: string): string | null {
  try {
    return normalizePath(path, workdir);
  } catch {
    return null;
  }
}

/** In linear time: a model writes the text. */
export function wildcardMatches(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let resumeAt = 0;
  while (inText < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      star = inPattern++;
      resumeAt = inText;
    } else if (wanted === "?" || wanted === text[inText]) {
      inPattern++;
      inText++;
    } else if (star >= 0) {
      inPattern = star + 1;
      inText = ++resumeAt;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
