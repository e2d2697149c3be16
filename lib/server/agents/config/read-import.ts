import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isNode, isScalar, type LineCounter } from "yaml";
import { z } from "zod";
import { type ImportAgentsReply, RawConfig } from "@/lib/schema/agents/agent-api";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { PROMPT_FILE_NAMES, type PromptFile, PromptFileName } from "@/lib/schema/agents/prompt";
import { storedText } from "@/lib/schema/plain-text";
import { findUnsafeKey } from "@/lib/schema/unsafe-keys";
import { describeIssues } from "@/lib/server/http/field-problems";
import type { Services } from "@/lib/server/platform/services";
import { CONFIG_YAML_LIMITS, parseYaml } from "@/lib/text/yaml/parse-yaml";
import { type Locate, locate, type ReadConfig, readConfigObject } from "./read-config";

export const AGENTS_FILE = "agents.yaml";

export type ImportProblem = ImportAgentsReply["problems"][number];

/** One agent of an imported text. */
export interface ImportEntry {
  readonly id: string;
  readonly raw: RawConfig;
  /** The agent's part of the text, if it is valid alone; otherwise the config is merged into the existing text. */
  readonly yaml: string | undefined;
  /** Null: an existing agent keeps its files. */
  readonly files: readonly PromptFile[] | null;
  readonly read: ReadConfig;
}

const AgentsFile = z.strictObject({
  agents: z.union([z.record(AgentId, RawConfig), z.array(z.looseObject({ id: AgentId }))]),
  /** The agents' own prompt files by name (D-64). */
  prompt_files: z.record(AgentId, z.partialRecord(PromptFileName, storedText(200_000))).default({}),
});

/** A parsed text; `find` locates the lines of values that came as YAML. */
interface Source {
  readonly text: string;
  readonly value: unknown;
  readonly document: Document | null;
  readonly find: Locate;
}

/** The agents of a text, valid or not, and every problem found in it. */
export function readImport(
  services: Services,
  text: string,
  fileName: string,
): { readonly entries: readonly ImportEntry[]; readonly problems: readonly ImportProblem[] } {
  const { document, lines, problems, value } = parseYaml(text, CONFIG_YAML_LIMITS);
  if (problems.length === 0)
    return readValue(services, { text, value, document, find: finder(document, lines) }, fileName);
  const json = parseJson(text);
  if (json !== undefined)
    return readValue(services, { text, value: json, document: null, find: () => undefined }, fileName);
  return { entries: [], problems: problems.map((problem) => ({ path: "", severity: "error", ...problem })) };
}

/** JSON that is indented with tabs is not valid YAML. What YAML refuses for its names is not read as JSON either. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return findUnsafeKey(value) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

function finder(document: Document, lines: LineCounter): Locate {
  return (parts) => locate(document, lines, parts);
}

function readValue(services: Services, source: Source, fileName: string): ReturnType<typeof readImport> {
  const { value, text } = source;
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !("agents" in value)) {
    const raw = RawConfig.parse(value);
    const id = idOfFile(fileName);
    if (id === null) return { entries: [], problems: [problemAt(source, [], UNNAMEABLE)] };
    const yaml = source.document ? text : undefined;
    return withProblems([{ id, raw, yaml, files: null, read: readConfigObject(services, raw, source.find) }], []);
  }
  const parsed = AgentsFile.safeParse(value);
  if (!parsed.success) {
    const described = describeIssues(parsed.error, AgentsFile);
    return { entries: [], problems: described.map(({ parts, message }) => problemAt(source, parts, message)) };
  }
  const { agents, prompt_files: texts } = parsed.data;
  const list = Array.isArray(agents)
    ? agents.map(({ id, ...raw }, at) => ({ id, raw, parts: ["agents", String(at)] }))
    : Object.entries(agents).map(([id, raw]) => ({ id, raw, parts: ["agents", id] }));
  const ids = list.map(({ id }) => id);
  const unknown = Object.keys(texts).filter((id) => !ids.includes(id));
  const repeated = list.filter(({ id }, at) => ids.indexOf(id) !== at);
  const entries = list.map(({ id, raw, parts }): ImportEntry => {
    const files = texts[id] ? toPromptFiles(texts[id]) : null;
    const read = readConfigObject(services, raw, (inner) => source.find([...parts, ...inner]));
    return { id, raw, yaml: ownYaml(source, id, raw), files, read };
  });
  return withProblems(entries, [
    ...unknown.map((id) => problemAt(source, ["prompt_files", id], `There is no agent "${id}" in this text.`)),
    ...repeated.map(({ id, parts }) => problemAt(source, parts, `The agent "${id}" is there twice. Remove one.`)),
  ]);
}

const UNNAMEABLE =
  "The agent's id comes from the file's name, and this one has no letter or digit. Rename the file, or put the config under agents: {id: …}.";

function withProblems(entries: readonly ImportEntry[], problems: readonly ImportProblem[]) {
  const own = entries.flatMap(({ id, read }) => read.problems.map((problem) => ({ ...problem, agentId: id })));
  return { entries, problems: [...problems, ...own] };
}

function problemAt({ find }: Source, parts: readonly string[], message: string): ImportProblem {
  return { path: parts.join("."), message, severity: "error", ...find(parts) };
}

function idOfFile(fileName: string): string | null {
  const { base, name } = path.parse(fileName);
  if (base === AGENTS_FILE) return "default";
  const id = name.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
  return AgentId.safeParse(id).data ?? null;
}

/** The prompt files in their standard order. */
export function toPromptFiles(texts: Partial<Record<PromptFileName, string>>): PromptFile[] {
  return PROMPT_FILE_NAMES.flatMap((name) => {
    const content = texts[name];
    return content === undefined ? [] : [{ name, content }];
  });
}

/** The lines of one agent without their common indentation; undefined if they then mean something else. */
function ownYaml({ text, document }: Source, id: string, raw: RawConfig): string | undefined {
  const agents = document?.get("agents");
  const pair = isMap(agents) ? agents.items.find(({ key }) => isScalar(key) && String(key.value) === id) : undefined;
  const node = isMap(pair?.value) ? pair.value : null;
  const first = node?.flow ? node : node?.items[0]?.key;
  if (!isScalar(pair?.key) || !isNode(first) || !first.range || !pair.key.range) return undefined;
  const start = text.indexOf("\n", pair.key.range[0]) + 1;
  if (first.range[0] < start) return undefined;
  const indent = first.range[0] - (text.lastIndexOf("\n", first.range[0]) + 1);
  const margin = " ".repeat(indent);
  const lines = text.slice(start).split("\n");
  const end = lines.findIndex((line) => isOutside(line, margin));
  const own = end < 0 ? lines : lines.slice(0, end);
  const yaml = `${own
    .map((line) => (line.startsWith(margin) ? line.slice(indent) : line.trim()))
    .join("\n")
    .trimEnd()}\n`;
  const { value, problems } = parseYaml(yaml, CONFIG_YAML_LIMITS);
  return problems.length === 0 && isDeepStrictEqual(value, raw) ? yaml : undefined;
}

/** A less indented line ends the agent: the next agent, or a comment about it. */
function isOutside(line: string, margin: string): boolean {
  return line.trim() !== "" && !line.startsWith(margin);
}
