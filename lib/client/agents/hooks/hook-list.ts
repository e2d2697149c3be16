import { isObject, isSame } from "@/lib/client/agents/config-text/config-values";
import { defaultAt } from "@/lib/client/agents/form/form-field";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import type { KnownHook } from "./hook-queries";

/** An entry of the draft's `hooks`, in full form. */
export interface HookEntry {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly config: RawConfig;
}

/** Hooks whose settings are a section of the config, which other tabs also edit. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  permissions: ["permissions"],
  filesystem: ["eviction"],
  eviction: ["eviction"],
  skills: ["skills"],
  memory: ["memory"],
  summarization: ["summarization"],
};

/** Hooks whose switch is the section's `enabled`. */
const OWN_SWITCH: ReadonlySet<string> = new Set(["permissions", "summarization"]);

/** The config path of a hook's setting while the hook's entry does not set it; null if only the entry can. */
export function settingPath(hook: string, path: readonly string[]): readonly string[] | null {
  if (hook === "inject-context") return ["inject_context"];
  if (hook === "tracing") return ["trace", ...path];
  const section = SECTIONS[hook];
  return section ? [...section, ...path] : null;
}

/**
 * The draft's hooks in the order in which the engine runs them: what `hooks` lists, otherwise the standard order; if
 * the list omits them, permissions go right inside tracing and prompt goes last.
 */
export function listHooks(config: RawConfig, known: readonly KnownHook[]): readonly HookEntry[] {
  const given = Array.isArray(config.hooks) ? config.hooks.flatMap(toEntry) : null;
  if (given === null) return known.filter(({ standard }) => standard).map(({ name }) => plain(name));
  const others = given.filter(({ name }) => name !== "prompt");
  const prompt = given.find(({ name }) => name === "prompt") ?? plain("prompt");
  if (others.some(({ name }) => name === "permissions")) return [...others, prompt];
  const inside = others.findIndex(({ name }) => name === "tracing") + 1;
  return [...others.toSpliced(inside, 0, plain("permissions")), prompt];
}

function plain(name: string): HookEntry {
  return { name, isEnabled: true, config: {} };
}

function toEntry(value: unknown): HookEntry[] {
  if (typeof value === "string") return [plain(value)];
  if (!isObject(value) || typeof value.name !== "string") return [];
  return [{ name: value.name, isEnabled: value.enabled !== false, config: isObject(value.config) ? value.config : {} }];
}

/** The config's `hooks` for these entries; undefined for the standard order. */
export function writeHooks(entries: readonly HookEntry[], known: readonly KnownHook[]): unknown {
  const written = entries.map(({ name, isEnabled, config }) => {
    const hasConfig = Object.keys(config).length > 0;
    if (isEnabled && !hasConfig) return name;
    return { name, ...(isEnabled ? {} : { enabled: false }), ...(hasConfig ? { config } : {}) };
  });
  const standard = known.filter((hook) => hook.standard).map(({ name }) => name);
  return isSame(written, standard) ? undefined : written;
}

/** The columns of the matrix; a guard's phases form a ring around tools. */
export const COLUMNS = ["before_agent", "modify_request", "wrap_model_call", "wrap_tool_call", "after_agent"] as const;
export type Column = (typeof COLUMNS)[number];

export function columnsOf(phases: readonly string[]): readonly Column[] {
  const shown = phases.map((phase) => (phase.endsWith("_tool_use") ? "wrap_tool_call" : phase));
  return COLUMNS.filter((column) => shown.includes(column));
}

/** Why the engine refuses this order; null if it accepts it. */
export function whyForbidden(names: readonly string[], known: readonly KnownHook[]): string | null {
  if (names.indexOf("tracing") > 0) return "tracing stays first: it must see every call.";
  const prompt = names.indexOf("prompt");
  if (prompt >= 0 && prompt < names.length - 1) return "prompt stays last: it must see what all others add.";
  const outside = names.slice(0, Math.max(0, names.indexOf("permissions")));
  const ring = outside.find((name) => name !== "tracing" && hasToolRing(known.find((hook) => hook.name === name)));
  if (ring === undefined) return null;
  return `permissions stays outside ${ring}: no other ring around tools may run a call before it is allowed.`;
}

function hasToolRing(hook: KnownHook | undefined): boolean {
  return hook !== undefined && columnsOf(hook.phases).includes("wrap_tool_call");
}

/** The entries with one of them moved. */
export function moveEntry(entries: readonly HookEntry[], from: number, to: number): readonly HookEntry[] {
  const moved = entries[from];
  return moved === undefined ? entries : entries.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** The changes that switch a hook on or off: config paths with their values. */
export function switchHook(
  config: RawConfig,
  known: readonly KnownHook[],
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
): readonly (readonly [path: readonly string[], value: unknown])[] {
  const entries = listHooks(config, known);
  const isListed = entries.some((entry) => entry.name === name);
  const own = OWN_SWITCH.has(name);
  const end = entries.at(-1)?.name === "prompt" ? entries.length - 1 : entries.length;
  const at = name === "tracing" ? 0 : end;
  const changed = isListed
    ? entries.map((entry) => (entry.name === name ? switched(entry, isOn, own) : entry))
    : entries.toSpliced(at, 0, plain(name));
  const hooks = [["hooks"], writeHooks(changed, known)] as const;
  if (!own) return [hooks];
  const path = [name, "enabled"];
  return [[path, defaultAt(path) === isOn ? undefined : isOn], hooks];
}

function switched(entry: HookEntry, isOn: boolean, hasOwnSwitch: boolean): HookEntry {
  if (!hasOwnSwitch) return { ...entry, isEnabled: isOn };
  const { enabled: _, ...config } = entry.config;
  return { ...entry, isEnabled: isOn || entry.isEnabled, config };
}
