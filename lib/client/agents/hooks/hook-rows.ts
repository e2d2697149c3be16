import { valueAt } from "@/lib/client/agents/config-text/config-values";
import { defaultAt } from "@/lib/client/agents/form/form-field";
import type { ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { COLUMNS, type Column, columnsOf, type HookEntry, listHooks, settingPath } from "./hook-list";
import type { KnownHook } from "./hook-queries";

/** One row of the matrix. */
export interface HookRow {
  readonly name: string;
  /** The hook's purpose, why it is off, or its problem. */
  readonly words: string;
  readonly state: "on" | "off" | "failed";
  /** Always present: no handle, no switch. */
  readonly isFixed: boolean;
  /** Its position in the order; null if the draft does not list it. */
  readonly place: number | null;
  /** Something else must be set before it can be switched on. */
  readonly isBlocked: boolean;
  readonly entry: HookEntry | null;
  readonly known: KnownHook | null;
  readonly columns: readonly Column[];
  /** Its number in each phase it takes part in. */
  readonly numbers: Readonly<Partial<Record<Column, number>>>;
  /** Problems of its entry, with paths relative to its settings; the empty path is the hook itself. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** The rows in running order, then the hooks that the draft does not list. */
export function hookRows(
  config: RawConfig,
  known: readonly KnownHook[],
  problems: readonly ConfigProblem[],
): readonly HookRow[] {
  const entries = listHooks(config, known);
  const listed = entries.map((entry, index) => toRow({ config, known, problems }, entry, index));
  const names = new Set(entries.map(({ name }) => name));
  const others = known.filter(({ name }) => !names.has(name)).map((hook) => unlisted(hook));
  return numbered([...listed, ...others]);
}

interface ConfigContext {
  readonly config: RawConfig;
  readonly known: readonly KnownHook[];
  readonly problems: readonly ConfigProblem[];
}

function toRow({ config, known, problems }: ConfigContext, entry: HookEntry, place: number): HookRow {
  const hook = known.find(({ name }) => name === entry.name) ?? null;
  const own = problemsOf(config, entry.name, problems);
  const obstacle = entry.isEnabled ? obstacleOf(entry, config) : { words: "off", isBlocked: false };
  const failed = own.find(({ path }) => path === "");
  const isFailed = hook === null || failed !== undefined;
  const broken = own[0];
  const problem = failed?.message ?? (hook === null ? "There is no such hook." : broken?.message);
  return {
    name: entry.name,
    words: problem ?? obstacle?.words ?? hook?.description ?? "",
    state: isFailed || broken ? "failed" : obstacle ? "off" : "on",
    isFixed: (entry.name === "tracing" || entry.name === "prompt") && entry.isEnabled,
    place,
    isBlocked: obstacle?.isBlocked ?? false,
    entry,
    known: hook,
    columns: hook ? columnsOf(hook.phases) : [],
    numbers: {},
    problems: own,
  };
}

function unlisted(hook: KnownHook): HookRow {
  return {
    name: hook.name,
    words: `off: ${hook.description.charAt(0).toLowerCase()}${hook.description.slice(1)}`,
    state: "off",
    isFixed: false,
    place: null,
    isBlocked: false,
    entry: null,
    known: hook,
    columns: columnsOf(hook.phases),
    numbers: {},
    problems: [],
  };
}

function numbered(rows: readonly HookRow[]): readonly HookRow[] {
  const counts = new Map<Column, number>(COLUMNS.map((column) => [column, 0]));
  return rows.map((row) => {
    if (row.state !== "on") return row;
    const numbers = Object.fromEntries(
      row.columns.map((column) => {
        const number = (counts.get(column) ?? 0) + 1;
        counts.set(column, number);
        return [column, number];
      }),
    );
    return { ...row, numbers };
  });
}

function problemsOf(config: RawConfig, name: string, problems: readonly ConfigProblem[]): HookRow["problems"] {
  const list = Array.isArray(config.hooks) ? config.hooks : [];
  const index = list.findIndex((entry: unknown) => entry === name || valueAt(entry, ["name"]) === name);
  const section = settingPath(name, [])?.join(".");
  return problems
    .filter(({ severity }) => severity === "error")
    .flatMap(({ path, message }) => {
      const text = message.replace(`settings of ${name}: `, "");
      if (index >= 0 && path === `hooks.${index}`) return [{ path: "", message: text }];
      const below = [`hooks.${index}.config.`, `${section}.`].find((start) => path.startsWith(start));
      return below === undefined ? [] : [{ path: path.slice(below.length), message: text }];
    });
}

interface Obstacle {
  readonly words: string;
  readonly isBlocked: boolean;
}

const blocked = (words: string): Obstacle => ({ words: `off: ${words}`, isBlocked: true });

/** Why a hook that is switched on has no effect with this config (the engine's activation rules). */
function obstacleOf(entry: HookEntry, config: RawConfig): Obstacle | null {
  return OBSTACLES[entry.name]?.({ config, at: (path) => effective(entry, config, path) }) ?? null;
}

interface Effective {
  readonly config: RawConfig;
  /** The effective setting: the hook's entry, otherwise the section's, otherwise the default. */
  readonly at: (path: readonly string[]) => unknown;
}

function effective(entry: HookEntry, config: RawConfig, path: readonly string[]): unknown {
  return valueAt(entry.config, path.slice(1)) ?? valueAt(config, path) ?? defaultAt(path);
}

const OBSTACLES: Readonly<Record<string, (facts: Effective) => Obstacle | null>> = {
  permissions: ({ config, at }) =>
    at(["permissions", "enabled"]) === true || !isEmpty(config.mcp_servers)
      ? null
      : { words: "off: every call runs unasked", isBlocked: false },
  summarization: ({ at }) =>
    at(["summarization", "enabled"]) === false ? { words: "off: no summary within a run", isBlocked: false } : null,
  skills({ config, at }) {
    if (!hasBackend(config)) return blocked("needs a workspace");
    return isEmpty(at(["skills", "paths"])) ? blocked("no folder of skills is set") : null;
  },
  memory({ config, at }) {
    if (!hasBackend(config)) return blocked("needs a workspace");
    return isEmpty(at(["memory", "paths"])) && !namesMemoryTool(config) ? blocked("no memory file is set") : null;
  },
  "inject-context": ({ config, at }) =>
    ((at(["inject_context", "text"]) ?? config.inject_context) || "") === "" ? blocked("no text is set") : null,
  prompt: ({ config }) => (needsPrompt(config, hasBackend(config)) ? null : blocked("the prompt has no sections")),
};

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0;
}

function hasBackend({ backend }: RawConfig): boolean {
  return backend !== undefined && backend !== null;
}

function namesMemoryTool({ tools }: RawConfig): boolean {
  const names: unknown = Array.isArray(tools) ? tools : valueAt(tools, ["allow"]);
  return Array.isArray(names) && names.some((name) => typeof name === "string" && /^memory_|^\*$/u.test(name));
}

function needsPrompt(config: RawConfig, hasFiles: boolean): boolean {
  const mode = valueAt(config, ["prompt", "mode"]) ?? "plain";
  const sections = valueAt(config, ["prompt", "sections"]) ?? {};
  if (mode !== "plain" || (config.extra_context ?? null) !== null || Object.keys(sections).length > 0) return true;
  return config.type === "open" && hasFiles;
}
