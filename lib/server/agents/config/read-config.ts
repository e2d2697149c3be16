import { type Document, isMap, isNode, isScalar, type LineCounter, stringify } from "yaml";
import type { ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import { describeIssues, type LocatedProblem } from "@/lib/server/http/field-problems";
import { parseYaml, type YamlProblem } from "@/lib/text/yaml/parse-yaml";
import { findAddressProblems } from "./address-problems";
import { findUnavailable } from "./check-available";
import { findMissing } from "./find-missing";
import { findPathProblems } from "./path-problems";

/** A config as it was submitted and, when it is valid, with its defaults. */
export interface ReadConfig {
  readonly raw: RawConfig;
  readonly config: AgentConfig | null;
  readonly problems: readonly ConfigProblem[];
  /** Where a dotted path is in the text; nothing when the config came as an object. */
  readonly locate: (path: string) => { line: number; column: number } | undefined;
}

const NOWHERE = () => undefined;

type Locate = (path: readonly string[]) => { line: number; column: number } | undefined;

/** A long agents.yaml has a tenth of this. */
const YAML_LIMITS = { chars: 262_144, tokens: 20_000, aliases: 20 };

/** Checks a config submitted as an object. */
export function readConfigObject(raw: RawConfig): ReadConfig {
  return check(raw, NOWHERE);
}

/** Checks a config submitted as YAML (1.2, no custom tags, few aliases); problems include their line. */
export function readConfigYaml(text: string): ReadConfig {
  const { document, lines, problems, value } = parseYaml(text, YAML_LIMITS);
  if (problems.length > 0) return { raw: {}, config: null, problems: problems.map(toConfigProblem), locate: NOWHERE };
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
  const { value, problems } = parseYaml(text, YAML_LIMITS);
  const first = problems[0];
  if (!first) return value;
  const details = problems.map(toConfigProblem);
  throw new AppError("invalid_input", `Line ${first.line}: ${first.message}`, { details });
}

function toConfigProblem(problem: YamlProblem): ConfigProblem {
  return { path: "", severity: "error", ...problem };
}

function check(raw: RawConfig, find: Locate): ReadConfig {
  const parsed = AgentConfig.safeParse(raw);
  const found = parsed.success
    ? findUnavailable(parsed.data, raw).map(withParts)
    : describeIssues(parsed.error, AgentConfig);
  const unstorable = describeUnstorable(raw, []).slice(0, MAX_UNSTORABLE);
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

const MAX_UNSTORABLE = 20;

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
