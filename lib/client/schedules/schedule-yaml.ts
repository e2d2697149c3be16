import type { toFields } from "./schedule-form";

/** A line of the YAML, and whether the stored schedule lacks it. */
export interface YamlLine {
  readonly text: string;
  readonly isChanged: boolean;
}

type Fields = ReturnType<typeof toFields>;

/** Calls decided in advance belong to one installation: no agent config has them. */
const NOT_IN_CONFIG: ReadonlySet<string> = new Set(["allow", "deny"]);

/** The schedule as one of an agent's `schedules`. Without `before`, nothing counts as changed. */
export function yamlLines(fields: Fields, before: Fields | null): YamlLine[] {
  const known = before === null ? null : new Set(linesOf(before));
  return linesOf(fields).map((text) => ({ text, isChanged: known !== null && !known.has(text) }));
}

function linesOf(fields: Fields): string[] {
  const { name, ...rest } = fields;
  const lines = Object.entries(rest)
    .filter(([key, value]) => value !== undefined && !NOT_IN_CONFIG.has(key))
    .flatMap(([key, value]) => fieldLines(key, value));
  return [`- name: ${scalar(name)}`, ...lines.map((line) => `  ${line}`)];
}

function fieldLines(key: string, value: unknown): string[] {
  if (typeof value === "string" && value.includes("\n")) {
    return [
      `${key}: |`,
      ...value
        .trimEnd()
        .split("\n")
        .map((line) => (line === "" ? "" : `  ${line}`)),
    ];
  }
  return [`${key}: ${flow(value)}`];
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([key, part]) => `${key}: ${flow(part)}`);
    return `{${parts.join(", ")}}`;
  }
  return typeof value === "string" ? scalar(value) : String(value);
}

/** Unquoted if no reader could take it for something else. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z][\w ./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  const isDuration = /^\d+[smhd]$/.test(text);
  return (isPlain || isDuration) && text === text.trim() ? text : JSON.stringify(text);
}
