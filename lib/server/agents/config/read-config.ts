import { type Document, isMap, isNode, isScalar, type LineCounter } from "yaml";
import type { z } from "zod";
import type { ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import { findOrderProblems } from "@/lib/server/agents/hooks/standard-hooks";
import { describeIssues, type LocatedProblem } from "@/lib/server/http/field-problems";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { findHeartbeatProblem } from "@/lib/server/triggers/heartbeat/heartbeat-problem";
import { findTimeProblem } from "@/lib/server/triggers/schedules/due-times";
import { writeYaml } from "@/lib/text/yaml/merge-yaml";
import { CONFIG_YAML_LIMITS, parseYaml, type YamlProblem } from "@/lib/text/yaml/parse-yaml";
import { findUnavailable } from "./check-available";
import { findMissing } from "./find-missing";
import { findModelProblems } from "./model-problems";
import { findPathProblems } from "./path-problems";

/** A config as submitted and, if it is valid, with its defaults. */
export interface ReadConfig {
  readonly raw: RawConfig;
  readonly config: AgentConfig | null;
  readonly problems: readonly ConfigProblem[];
  /** The position of a dotted path in the text; undefined if the config came as an object. */
  readonly locate: (path: string) => { line: number; column: number } | undefined;
}

const NOWHERE = () => undefined;

/** The position of a config path in a text. */
export type Locate = (path: readonly string[]) => { line: number; column: number } | undefined;

/** Checks a config submitted as an object; `find` locates its fields if they come from a text. */
export function readConfigObject(services: Services, raw: RawConfig, find: Locate = NOWHERE): ReadConfig {
  return check(services, raw, find);
}

/** Checks a config submitted as YAML (1.2, no custom tags, few aliases); problems include their line. */
export function readConfigYaml(services: Services, text: string): ReadConfig {
  const { document, lines, problems, value, soundText } = parseYaml(text, CONFIG_YAML_LIMITS);
  if (problems.length > 0) {
    const all = [...findSoundProblems(soundText ?? ""), ...problems.map(toConfigProblem)];
    return { raw: {}, config: null, problems: all.toSorted(inTextOrder), locate: NOWHERE };
  }
  if (!isPlainObject(value)) {
    const message = "The text must be a list of fields such as `name: My agent`.";
    const problem = { path: "", message, severity: "error" as const, line: 1, column: 1 };
    return { raw: {}, config: null, problems: [problem], locate: NOWHERE };
  }
  return check(services, value, (path) => locate(document, lines, path));
}

/**
 * Problems in the fields before the syntax error, as far as each field can be judged alone: a missing field may be
 * further down in the text.
 */
function findSoundProblems(text: string): ConfigProblem[] {
  const { document, lines, problems, value } = parseYaml(text, CONFIG_YAML_LIMITS);
  if (problems.length > 0 || !isPlainObject(value)) return [];
  const parsed = AgentConfig.safeParse(value);
  if (parsed.success) return [];
  return describeIssues(parsed.error, AgentConfig).flatMap(({ path, message, parts }) => {
    const [name = ""] = parts;
    const severity = "error" as const;
    return name in value ? [{ path, message, severity, ...locate(document, lines, parts) }] : [];
  });
}

/** The YAML of a config, as shown in the editor and written by the export. */
export function writeConfigYaml(raw: RawConfig): string {
  return writeYaml(raw);
}

/** The valid config; throws `invalid_input`, or `not_available` if availability is the only problem. */
export function requireConfig({ config, problems }: ReadConfig): AgentConfig {
  const errors = problems.filter(({ severity }) => severity === "error");
  const first = errors[0];
  if (config && !first) return config;
  const summary = first?.path ? `${first.path}: ${first.message}` : (first?.message ?? "The config is invalid.");
  throw new AppError(config ? "not_available" : "invalid_input", summary, {
    details: errors.map(({ severity: _, ...problem }) => problem),
  });
}

/** The fields of a text, valid or not; null if it can't be parsed. */
export function readYamlFields(text: string): RawConfig | null {
  const { value, problems } = parseYaml(text, CONFIG_YAML_LIMITS);
  return problems.length === 0 && isPlainObject(value) ? value : null;
}

function toConfigProblem(problem: YamlProblem): ConfigProblem {
  return { path: "", severity: "error", ...problem };
}

function check(services: Services, raw: RawConfig, find: Locate): ReadConfig {
  const parsed = AgentConfig.safeParse(raw);
  const unreadable = parsed.success ? [] : describeIssues(parsed.error, AgentConfig);
  const unstorable = describeUnstorable(raw, []).slice(0, MAX_UNSTORABLE);
  // The fields that parse are also checked semantically, so that all problems are reported at once.
  const readable = parsed.success ? parsed.data : readRest(raw, parsed.error);
  const unusable = readable && unstorable.length === 0 ? findUnusable(services, readable).map(withParts) : unstorable;
  const unavailable = readable ? findUnavailable(readable).map(withParts) : [];
  const problems = [...unusable, ...unreadable, ...unavailable].map(({ path, message, parts }) => ({
    path,
    message,
    severity: "error" as const,
    ...find(parts),
  }));
  return {
    raw,
    config: parsed.success && unusable.length === 0 && unstorable.length === 0 ? parsed.data : null,
    problems: problems.toSorted(inTextOrder),
    locate: (path) => find(path.split(".")),
  };
}

const MAX_UNSTORABLE = 20;

/** The config without the fields that can't be parsed; null if the rest doesn't parse either. */
function readRest(raw: RawConfig, { issues }: z.ZodError): AgentConfig | null {
  const broken = new Set(
    issues.flatMap((issue) =>
      issue.path.length > 0 ? [issue.path[0]] : issue.code === "unrecognized_keys" ? issue.keys : [],
    ),
  );
  const rest = Object.entries(raw).filter(([name]) => !broken.has(name));
  return AgentConfig.safeParse({ name: "unnamed", ...Object.fromEntries(rest) }).data ?? null;
}

/** Sorts by line and column; problems of an object have neither and keep their order. */
function inTextOrder(left: ConfigProblem, right: ConfigProblem): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/** Strings with a NUL character or half of a surrogate pair, which no database and no provider accepts. */
function describeUnstorable(value: unknown, parts: readonly string[]): LocatedProblem[] {
  if (typeof value === "string") {
    if (!value.includes("\0") && value.isWellFormed()) return [];
    return [{ path: parts.join("."), message: "Has a NUL character or half of a surrogate pair.", parts }];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => describeUnstorable(child, [...parts, name]));
}

function findUnusable(services: Services, config: AgentConfig): FieldProblem[] {
  return [
    ...findModelProblems(services, config),
    ...findPathProblems(config),
    ...findMissing(config),
    ...findOrderProblems(config),
    ...findScheduleProblems(config),
    ...findHeartbeatProblems(config),
  ];
}

/** Times that can't be read or come too often. A time in the past is fine because the config may be old. */
function findScheduleProblems({ schedules }: AgentConfig): FieldProblem[] {
  return schedules.flatMap((schedule, index) => {
    const problem = findTimeProblem(schedule, new Date(0), env().minEveryMs);
    return problem === null ? [] : [{ path: `schedules.${index}.${problem.path}`, message: problem.message }];
  });
}

function findHeartbeatProblems({ heartbeat }: AgentConfig): FieldProblem[] {
  if (heartbeat === null) return [];
  const problem = findHeartbeatProblem(heartbeat, env().minEveryMs);
  return problem === null ? [] : [{ path: `heartbeat.${problem.path}`, message: problem.message }];
}

function withParts(problem: FieldProblem) {
  return { ...problem, parts: problem.path.split(".") };
}

/** The start of the deepest existing part of the path: the key of a field, otherwise its value. */
export function locate(document: Document, lines: LineCounter, path: readonly string[]) {
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
