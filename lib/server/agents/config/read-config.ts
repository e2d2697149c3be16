import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, stringify } from "yaml";
import type { ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import { describeIssues, type LocatedProblem } from "@/lib/server/http/field-problems";
import { findAddressProblems } from "./address-problems";
import { findUnavailable } from "./check-available";
import { findMissing } from "./find-missing";
import { findPathProblems } from "./path-problems";

/** A config as it was submitted and, when it is valid, with its defaults. */
export interface ReadConfig {
  readonly raw: RawConfig;
  readonly config: AgentConfig | null;
  readonly problems: readonly ConfigProblem[];
  /** Where a dotted path stands in the text; nothing when it came as an object. */
  readonly locate: (path: string) => { line: number; column: number } | undefined;
}

const NOWHERE = () => undefined;

type Locate = (path: readonly string[]) => { line: number; column: number } | undefined;

const MAX_ALIASES = 20;

/** Checks a config submitted as an object. */
export function readConfigObject(raw: RawConfig): ReadConfig {
  return check(raw, NOWHERE);
}

/** Checks a config submitted as YAML (1.2, no custom tags, few aliases); problems include their line. */
export function readConfigYaml(text: string): ReadConfig {
  const { document, lines, problems } = parseYaml(text);
  if (problems.length > 0) return { raw: {}, config: null, problems, locate: NOWHERE };
  const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
  if (!isPlainObject(value)) {
    const message = "The text must be a list of fields such as `name: My agent`.";
    const problem = { path: "", message, severity: "error" as const, line: 1, column: 1 };
    return { raw: {}, config: null, problems: [problem], locate: NOWHERE };
  }
  return check(value, (path) => locate(document, lines, path));
}

/** The YAML of a config, as the editor shows it and the export writes it. */
export function writeConfigYaml(raw: RawConfig): string {
  return stringify(raw, { lineWidth: 0 });
}

/** The checked config; throws `invalid_input`, or `not_available` when availability is the only problem. */
export function requireConfig({ config, problems }: ReadConfig): AgentConfig {
  const errors = problems.filter(({ severity }) => severity === "error");
  const first = errors[0];
  if (config && !first) return config;
  const summary = first?.path ? `${first.path}: ${first.message}` : (first?.message ?? "The config is invalid.");
  throw new AppError(config ? "not_available" : "invalid_input", summary, {
    details: errors.map(({ severity: _, ...problem }) => problem),
  });
}

/** The plain value of a YAML text; throws `invalid_input` with the line of the first problem. */
export function readYaml(text: string): unknown {
  const { document, problems } = parseYaml(text);
  const first = problems[0];
  if (first) throw new AppError("invalid_input", `Line ${first.line ?? 1}: ${first.message}`, { details: problems });
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

function parseYaml(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: "core", merge: false, strict: true });
  const problems: ConfigProblem[] = document.errors.map((error) => {
    const start = lines.linePos(error.pos[0]);
    const message = isTooDeep(error) ? "The text is nested too deeply." : firstLine(error.message);
    return { path: "", message, severity: "error", line: start.line, column: start.col };
  });
  if (problems.length === 0) problems.push(...aliasProblem(document));
  return { document, lines, problems };
}

/** The parser reports an exhausted stack as one of its errors. */
function isTooDeep({ message }: Error): boolean {
  return message.startsWith("Maximum call stack size exceeded");
}

/** Expanding aliases is where a small text becomes a huge value. */
function aliasProblem(document: Document): ConfigProblem[] {
  try {
    document.toJS({ maxAliasCount: MAX_ALIASES });
    return [];
  } catch {
    return [{ path: "", message: "The text uses too many aliases.", severity: "error", line: 1, column: 1 }];
  }
}

function check(raw: RawConfig, find: Locate): ReadConfig {
  const parsed = AgentConfig.safeParse(raw);
  const found = parsed.success
    ? findUnavailable(parsed.data, raw).map(withParts)
    : describeIssues(parsed.error, AgentConfig);
  const unstorable = describeUnstorable(raw, []);
  const isReadable = parsed.success && unstorable.length === 0;
  const unusable = isReadable ? findUnusable(parsed.data).map(withParts) : unstorable;
  const problems = [...unusable, ...found].map(({ path, message, parts }) => ({
    path,
    message,
    severity: "error" as const,
    ...find(parts),
  }));
  return {
    raw,
    config: isReadable && unusable.length === 0 ? parsed.data : null,
    problems,
    locate: (path) => find(path.split(".")),
  };
}

/** No database and no provider accepts a NUL character or half of a surrogate pair. */
function describeUnstorable(value: unknown, parts: readonly string[]): LocatedProblem[] {
  if (typeof value === "string") {
    if (!value.includes("\0") && value.isWellFormed()) return [];
    return [{ path: parts.join("."), message: "Has a NUL character or half of a surrogate pair.", parts }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => describeUnstorable(child, [...parts, name]));
}

function findUnusable(config: AgentConfig): FieldProblem[] {
  return [...findAddressProblems(config), ...findPathProblems(config), ...findMissing(config)];
}

function withParts(problem: FieldProblem) {
  return { ...problem, parts: problem.path.split(".") };
}

/** Where the deepest existing part of the path begins: the key of a field, otherwise its value. */
function locate(document: Document, lines: LineCounter, path: readonly string[]) {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOf(document, path.slice(0, length));
    if (offset === undefined) continue;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  }
  return { line: 1, column: 1 };
}

function offsetOf(document: Document, path: readonly string[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const name = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
  }
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function isPlainObject(value: unknown): value is RawConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? text).replace(/ at line \d+, column \d+:?$/, "");
}
