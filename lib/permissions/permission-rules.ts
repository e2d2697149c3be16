import { MAX_PATH_CHARS, normalizePath } from "@/lib/agent/workspace/workspace";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import { patternMatches } from "@/lib/schema/tools/command-pattern";
import { compileGlob } from "./match-glob";

/** A call as rules see it: its tool's own name and argument names (D-27, `Toolbox.canonical`). */
export interface PermissionCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Facts about the tool and the agent that rules need besides the call. */
export interface RuleSubject {
  /** Other names for the tool in rules, except those of registered tools. */
  readonly aliases: readonly string[];
  /** Other names for its arguments: alias → name. */
  readonly argumentAliases: Readonly<Record<string, string>>;
  /** The argument that names a workspace file or folder, if any. */
  readonly pathArgument?: string;
  /** The backend's working directory; paths are relative to it. */
  readonly workdir: string;
  /** The tool whose rules about single files also hold for the path argument of this one. */
  readonly readsLike?: NamedTool;
  /** The host of an address in this call that came neither from a person nor from one of the run's searches. */
  readonly unknownAddress?: string;
  /** The host of the service that this call is sent to, if no person has allowed a call to it in the thread yet. */
  readonly unknownService?: string;
}

/** The same for a rule that keeps files from the agent: one about reading a file holds for every tool that reads it. */
export function ruleKeeps(rule: PermissionRule, call: PermissionCall, subject: RuleSubject): boolean {
  if (ruleMatches(rule, call, subject)) return true;
  const { readsLike, pathArgument = "" } = subject;
  const path = call.args[pathArgument];
  if (readsLike === undefined || typeof path !== "string") return false;
  return pathMatcher(rule, readsLike, subject.workdir)?.(path) ?? false;
}

/** Whether the rule applies to the call. */
export function ruleMatches(rule: PermissionRule, call: PermissionCall, subject: RuleSubject): boolean {
  if (!ruleNames(rule, call.tool, subject.aliases)) return false;
  if (typeof rule === "string") return true;
  if (rule.addresses === "known" && (subject.unknownAddress ?? subject.unknownService) !== undefined) return false;
  if (rule.prefix !== undefined && !beginsWith(rule.prefix, call)) return false;
  return Object.entries(rule.args).every(([key, pattern]) => {
    const name = subject.argumentAliases[key] ?? key;
    return argumentMatches(pattern, name, call.args, subject);
  });
}

function beginsWith(prefix: string, { args: { command } }: PermissionCall): boolean {
  return typeof command === "string" && patternMatches(prefix, command);
}

/** A tool by the names that rules may use for it and its arguments. */
export interface NamedTool {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Alias → name. */
  readonly argumentAliases: Readonly<Record<string, string>>;
}

/**
 * The files of a tool with the argument `path` to which the rule applies by their paths; null for a rule about other
 * tools, about all calls, or also about other arguments.
 */
export function pathMatcher(
  rule: PermissionRule,
  { name, aliases, argumentAliases }: NamedTool,
  workdir: string,
): ((path: string) => boolean) | null {
  if (typeof rule === "string" || !ruleNames(rule, name, aliases)) return null;
  const args = Object.entries(rule.args).map(([key, pattern]) => ({ key: argumentAliases[key] ?? key, pattern }));
  const paths = args.filter(({ key }) => key === "path");
  if (paths.length === 0 || args.some(({ key, pattern }) => key !== "path" && pattern !== "*")) return null;
  const globs = paths.map(({ pattern }) => compileGlob(relativePath(pattern, workdir) || "."));
  return (path) => globs.every((glob) => glob?.matches(relativePath(path, workdir) || ".") ?? true);
}

/** Whether the rule names the tool, whatever its arguments. */
export function ruleNames(rule: PermissionRule, tool: string, aliases: readonly string[]): boolean {
  const pattern = typeof rule === "string" ? rule : rule.tool;
  const glob = compileGlob(pattern);
  return [tool, ...aliases].some((name) => name === pattern || (glob?.matches(name) ?? true));
}

/**
 * False for a rule with an unsupported glob. Such a rule can't be saved; in an older version, it applies to every call
 * it may mean if it denies or asks, and to none if it allows.
 */
export function isKnownRule(rule: PermissionRule, { argumentAliases, pathArgument }: RuleSubject): boolean {
  if (typeof rule === "string") return compileGlob(rule) !== null;
  const isPath = (name: string) => (argumentAliases[name] ?? name) === pathArgument;
  const paths = Object.entries(rule.args).flatMap(([name, pattern]) => (isPath(name) ? [pattern] : []));
  return [rule.tool, ...paths].every((glob) => compileGlob(glob) !== null);
}

/** Whether the rule treats every call of the tool alike. */
export function isWithoutArguments(rule: PermissionRule): boolean {
  if (typeof rule === "string") return true;
  return Object.keys(rule.args).length === 0 && rule.addresses === undefined && rule.prefix === undefined;
}

/**
 * Matches paths as paths (`secrets/**`, hidden files too), everything else as text in which `*` is any text and `?` one
 * character. A missing argument matches only `*`; a missing path is the root.
 */
function argumentMatches(
  pattern: string,
  name: string,
  args: PermissionCall["args"],
  { pathArgument, workdir }: RuleSubject,
): boolean {
  const value = args[name];
  if (name === pathArgument) {
    const path = relativePath(typeof value === "string" ? value : "", workdir);
    const glob = compileGlob(relativePath(pattern, workdir) || ".");
    return glob?.matches(path === "" ? "." : path) ?? true;
  }
  if (value === undefined) return pattern === "*";
  return wildcardMatches(pattern, typeof value === "string" ? value : JSON.stringify(value));
}

/** A path that the tool will reject is kept as is, cut to the maximum length of a path. */
function relativePath(path: string, workdir: string): string {
  return normalized(path, workdir) ?? path.slice(0, MAX_PATH_CHARS);
}

/** Whether the call names a path outside the workspace. */
export function hasBadPath(args: PermissionCall["args"], { pathArgument, workdir }: RuleSubject): boolean {
  const path = pathArgument === undefined ? undefined : args[pathArgument];
  return typeof path === "string" && normalized(path, workdir) === null;
}

function normalized(path: string, workdir: string): string | null {
  try {
    return normalizePath(path, workdir);
  } catch {
    return null;
  }
}

/** Linear time, because a model writes the text. */
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
