import type { Hook } from "@/lib/agent/hook";
import { PROMPT_HOOK } from "@/lib/hooks/prompt";
import type { HookEntry } from "@/lib/schema/agent-config-rules";
import { AppError } from "@/lib/schema/app-error";
import { ALL_HOOKS, type HookDefinition, STANDARD_HOOKS, type StandardHookOptions } from "./hook-table";

/**
 * The hooks of an agent's run, outermost first: S0's six in S0's order, or those that the agent's `hooks` lists in
 * its order. Built again for every segment, since hooks remember what belongs to the run.
 * Throws `invalid_input` for an unknown hook, one that is listed twice, or settings that a hook does not have.
 */
export function standardHooks(options: StandardHookOptions): Hook[] {
  const { hooks } = options.config;
  if (hooks === null)
    return createAll(
      STANDARD_HOOKS.map((definition) => ({ definition, settings: {} })),
      options,
    );
  const entries = withPermissions(withPromptLast(hooks.map(readEntry)));
  const names = entries.map(({ definition }) => definition.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated) throw new AppError("invalid_input", `hooks: ${repeated} is listed twice`);
  return createAll(
    entries.filter(({ isEnabled }) => isEnabled),
    options,
  );
}

interface ChosenHook {
  readonly definition: HookDefinition;
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * An agent whose permissions are on has them whatever its `hooks` lists, unless the list itself switches them off: right
 * inside tracing, so that what is refused is seen and nothing else sees it.
 */
function withPermissions(entries: readonly ListedHook[]): readonly ListedHook[] {
  const [permissions] = STANDARD_HOOKS.filter(({ name }) => name === "permissions");
  if (!permissions || entries.some(({ definition }) => definition === permissions)) return entries;
  const added: ListedHook = { definition: permissions, settings: {}, isEnabled: true };
  const inside = entries.findIndex(({ definition }) => definition.name === "tracing") + 1;
  return entries.toSpliced(inside, 0, added);
}

interface ListedHook extends ChosenHook {
  readonly isEnabled: boolean;
}

function createAll(chosen: readonly ChosenHook[], options: StandardHookOptions): Hook[] {
  return chosen.flatMap(({ definition, settings }) => definition.create(options, settings) ?? []);
}

/**
 * The prompt must see what all others add, so it is the last wherever it is listed; without it `prompt` and
 * `extra_context` would be settings that do nothing, so it is there until it is switched off.
 */
function withPromptLast(entries: readonly ListedHook[]): ListedHook[] {
  const listed = entries.filter(({ definition }) => definition.name === PROMPT_HOOK);
  const others = entries.filter(({ definition }) => definition.name !== PROMPT_HOOK);
  return [...others, ...(listed.length > 0 ? listed : [readEntry(PROMPT_HOOK)])];
}

function readEntry(entry: HookEntry): ListedHook {
  const { name, enabled, config } = typeof entry === "string" ? { name: entry, enabled: true, config: {} } : entry;
  const definition = ALL_HOOKS.find((known) => known.name === name);
  if (definition) return { definition, settings: config, isEnabled: enabled };
  const known = ALL_HOOKS.map((hook) => hook.name).join(", ");
  throw new AppError("invalid_input", `hooks: there is no hook ${JSON.stringify(name)}; the hooks are ${known}`);
}
