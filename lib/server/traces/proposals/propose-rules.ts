import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import { patternMatches, simpleCommand } from "@/lib/schema/tools/command-pattern";

/** A call that a person decided about. */
export interface DecidedCall {
  readonly tool: string;
  /** Null where they were too long to be kept. */
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly pathArgument: string | null;
  /** allow, deny or edit. */
  readonly decision: string;
}

/** A rule that allows these calls, its limit in words, and the calls. */
export interface ProposedRule<Call> {
  readonly rule: PermissionRule;
  readonly scope: "command" | "arguments";
  readonly pattern: string;
  readonly calls: readonly Call[];
}

const ENOUGH = 5;
const MOST = 20;

/**
 * Rules for calls that people allowed five times or more. None covers a call that a person denied or edited. A command
 * is proposed by its first words, the longest that are common enough; other calls by their path or, without one, by
 * exactly their arguments.
 */
export function proposeRules<Call extends DecidedCall>(calls: readonly Call[]): ProposedRule<Call>[] {
  return [...Map.groupBy(calls, ({ tool }) => tool).values()]
    .flatMap((ofTool) => {
      const refused = ofTool.filter(({ decision }) => decision !== "allow");
      // What it was can't be known, so it may be any of them.
      if (refused.some(({ args }) => args === null)) return [];
      const allowed = ofTool.filter(({ decision, args }) => decision === "allow" && args !== null);
      return [...commandRules(allowed, refused), ...argumentRules(allowed, refused)];
    })
    .sort((a, b) => b.calls.length - a.calls.length)
    .slice(0, MOST);
}

/** Longer prefixes are cut to so many words. */
const MOST_WORDS = 12;
/** One word is most of what a machine can do. */
const FEWEST_WORDS = 2;

interface Command<Call> {
  readonly call: Call;
  readonly words: readonly string[];
}

function commandRules<Call extends DecidedCall>(
  allowed: readonly Call[],
  refused: readonly Call[],
): ProposedRule<Call>[] {
  let open = allowed.flatMap((call): Command<Call>[] => {
    const words = simpleCommand(commandOf(call) ?? "");
    return words === null ? [] : [{ call, words }];
  });
  const found: ProposedRule<Call>[] = [];
  for (let length = MOST_WORDS; length >= FEWEST_WORDS; length -= 1) {
    const long = open.filter(({ words }) => words.length >= length);
    for (const group of Map.groupBy(long, ({ words }) => JSON.stringify(words.slice(0, length))).values()) {
      const prefix = group.length < ENOUGH ? null : prefixOf(group, length);
      if (prefix === null || refused.some((call) => patternMatches(prefix, commandOf(call) ?? ""))) continue;
      const [
        {
          call: { tool },
        } = NOTHING,
      ] = group;
      const calls = group.map(({ call }) => call);
      found.push({ rule: { tool, args: {}, prefix }, scope: "command", pattern: prefix, calls });
      open = open.filter((command) => !group.includes(command));
    }
  }
  return found;
}

const NOTHING = { call: { tool: "" } };

function commandOf({ args }: DecidedCall): string | null {
  return typeof args?.command === "string" ? args.command : null;
}

/** Whatever follows these is a program of its own. */
const RUNS_OTHERS =
  /^(?:.*\/)?(?:ash|bash|bun|busybox|dash|deno|doas|docker|env|fish|find|ksh|kubectl|nice|node|nohup|nsenter|perl|php|podman|pwsh|python[0-9.]*|ruby|runuser|setsid|sh|ssh|stdbuf|su|sudo|tclsh|time|timeout|unshare|watch|xargs|zsh)$/u;

/** Null where the words stand for more than people saw: what was left out may then be anything. */
function prefixOf(group: readonly Command<unknown>[], length: number): string | null {
  const words = group[0]?.words.slice(0, length) ?? [];
  const isWhole = group.every((command) => command.words.length === length);
  if (!isWhole && (RUNS_OTHERS.test(words[0] ?? "") || words.at(-1)?.startsWith("-"))) return null;
  const written = words.map(quoted);
  return written.every((word) => word !== null) ? written.join(" ") : null;
}

function quoted(word: string): string | null {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return word.includes("'") ? null : `'${word}'`;
}

function argumentRules<Call extends DecidedCall>(
  allowed: readonly Call[],
  refused: readonly Call[],
): ProposedRule<Call>[] {
  const limited = allowed.flatMap((call) => {
    const limit = limitOf(call);
    return limit === null ? [] : [{ call, limit, key: JSON.stringify(limit) }];
  });
  const refusedKeys = new Set(refused.map((call) => JSON.stringify(limitOf(call))));
  return [...Map.groupBy(limited, ({ key }) => key)].flatMap(([key, group]): ProposedRule<Call>[] => {
    const [first] = group;
    if (first === undefined || group.length < ENOUGH || refusedKeys.has(key)) return [];
    const pattern = Object.entries(first.limit).map(([name, value]) => `${name}: ${value}`);
    const calls = group.map(({ call }) => call);
    return [
      { rule: { tool: first.call.tool, args: first.limit }, scope: "arguments", pattern: pattern.join(", "), calls },
    ];
  });
}

const MOST_CHARACTERS = 200;

/** What tells the call from others, as the patterns of a rule; null where they would match something else. */
function limitOf(call: DecidedCall): Record<string, string> | null {
  const { args, pathArgument } = call;
  if (args === null || commandOf(call) !== null) return null;
  if (pathArgument !== null && typeof args[pathArgument] === "string") {
    const path = args[pathArgument];
    return /[*?[\]{}()!@+\\|]/u.test(path) || path === "" ? null : { [pathArgument]: path };
  }
  const limits = Object.keys(args)
    .sort()
    .map((name): [string, string] => [name, textOf(args[name])]);
  const isLiteral = limits.every(([, text]) => text.length <= MOST_CHARACTERS && !/[*?]/u.test(text));
  return limits.length > 0 && isLiteral ? Object.fromEntries(limits) : null;
}

/** As a rule reads an argument. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
