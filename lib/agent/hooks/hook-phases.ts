import type { Guard } from "./guard";
import type { Hook } from "./hook";

const HOOK_PHASES = {
  beforeAgent: "before_agent",
  modifyRequest: "modify_request",
  wrapModelCall: "wrap_model_call",
  wrapToolCall: "wrap_tool_call",
  afterAgent: "after_agent",
} as const satisfies Record<Exclude<keyof Hook, "name" | "extension">, string>;

const GUARD_PHASES = {
  preGeneration: "before_agent",
  preToolUse: "pre_tool_use",
  postToolUse: "post_tool_use",
  postGeneration: "after_agent",
} as const satisfies Record<keyof Guard, string>;

const ORDER = [
  "before_agent",
  "modify_request",
  "wrap_model_call",
  "wrap_tool_call",
  "pre_tool_use",
  "post_tool_use",
  "after_agent",
] as const;

/** The phases of a hook in the wire spelling (D-35), derived from the methods it defines (D-15), in running order. */
export function hookPhases(hook: Hook & { readonly guard?: Guard }): string[] {
  const { guard } = hook;
  const own = definedPhases(hook, HOOK_PHASES);
  if (!guard) return own;
  const guarded = definedPhases(guard, GUARD_PHASES);
  const isInTools = guard.preToolUse !== undefined || guard.postToolUse !== undefined;
  const shown = new Set([...guarded, ...own.filter((phase) => !(isInTools && phase === "wrap_tool_call"))]);
  return ORDER.filter((phase) => shown.has(phase));
}

function definedPhases<Methods extends object>(
  methods: Methods,
  phases: Readonly<Partial<Record<keyof Methods, string>>>,
): string[] {
  const names = Object.keys(phases) as (keyof Methods)[];
  return names.flatMap((name) => (methods[name] === undefined ? [] : (phases[name] ?? [])));
}
