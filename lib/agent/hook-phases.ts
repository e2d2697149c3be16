import type { Guard } from "./guard";
import type { Hook } from "./hook";

const HOOK_PHASES = {
  beforeAgent: "before_agent",
  modifyRequest: "modify_request",
  wrapModelCall: "wrap_model_call",
  wrapToolCall: "wrap_tool_call",
  afterAgent: "after_agent",
} as const satisfies Record<Exclude<keyof Hook, "name">, string>;

const GUARD_PHASES = {
  preGeneration: "before_agent",
  preToolUse: "pre_tool_use",
  postToolUse: "post_tool_use",
  postGeneration: "after_agent",
} as const satisfies Record<keyof Guard, string>;

/** The phases of a hook in the wire spelling (D-35), from the methods that it defines (D-15), in order of running. */
export function hookPhases(hook: Hook & { readonly guard?: Guard }): string[] {
  const { guard } = hook;
  return guard ? definedPhases(guard, GUARD_PHASES) : definedPhases(hook, HOOK_PHASES);
}

function definedPhases<Methods extends object>(
  methods: Methods,
  phases: Readonly<Partial<Record<keyof Methods, string>>>,
): string[] {
  const names = Object.keys(phases) as (keyof Methods)[];
  return names.flatMap((name) => (methods[name] === undefined ? [] : (phases[name] ?? [])));
}
