import type { Hook } from "@/lib/agent/hooks/hook";
import { PROMPT_HOOK } from "@/lib/hooks/prompt";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { HookEntry } from "@/lib/schema/agents/agent-config-rules";
import { AppError, type FieldProblem, refuseFields } from "@/lib/schema/app-error";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainMissing } from "@/lib/server/extensions/registry";
import { extensionHooks, findExtensionHook } from "./extension-hook";
import { ALL_HOOKS, type HookDefinition, mayAskByItself, STANDARD_HOOKS, type StandardHookOptions } from "./hook-table";
import { createSample } from "./sample-hook";

/**
 * The hooks of an agent's run, outermost first: S0's six in S0's order, or those listed in the agent's `hooks`, in that
 * order. Rebuilt for every segment because hooks hold state that belongs to the run. Throws `invalid_input` for an
 * unknown hook, a hook listed twice, or settings that a hook does not have.
 */
export function standardHooks(options: StandardHookOptions): readonly Hook[] {
  const { hooks, problems } = buildHooks(options);
  refuseFields(problems);
  return hooks;
}

/**
 * The hooks that can be built, and the problems of the others: a hook named by an agent saved earlier may have been
 * removed since.
 */
export function buildHooks(options: StandardHookOptions): BuiltHooks {
  const { entries, problems } = chooseHooks(options.config);
  const hooks: Hook[] = [];
  for (const { definition, settings, path } of entries) {
    try {
      const hook = definition.create(options, settings);
      if (hook) hooks.push(hook);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problems.push(...locate(error, definition.name, path));
    }
  }
  return { hooks: inFixedOrder(hooks), problems };
}

/**
 * Tracing is the outermost ring, and permissions are outside every other ring around tools, even for an agent saved
 * before other orders were refused: no call may escape either of them.
 */
function inFixedOrder(hooks: readonly Hook[]): readonly Hook[] {
  const tracing = hooks.filter(({ name }) => name === "tracing");
  const others = hooks.filter(({ name }) => name !== "tracing");
  const place = others.findIndex(({ wrapToolCall }) => wrapToolCall !== undefined);
  const permissions = others.find(({ name }) => name === "permissions");
  if (!permissions || others[place] === permissions) return [...tracing, ...others];
  const rest = others.filter((hook) => hook !== permissions);
  return [...tracing, ...rest.toSpliced(place, 0, permissions)];
}

/** Why the order listed in a config is refused; the paths are those of the entries placed too far inside. */
export function findOrderProblems({ hooks }: Pick<AgentConfig, "hooks">): FieldProblem[] {
  const names = (hooks ?? []).map(nameOf);
  const problem = (name: string, message: string) => ({ path: `hooks.${names.indexOf(name)}`, message });
  const outside = names.slice(0, Math.max(0, names.indexOf("permissions"))).filter((name) => name !== "tracing");
  const ring = outside.find((name) => {
    const definition = findHook(name);
    return definition !== undefined && hasToolRing(definition);
  });
  return [
    ...(names.indexOf("tracing") > 0 ? [problem("tracing", TRACING_FIRST)] : []),
    ...(ring === undefined ? [] : [problem("permissions", `permissions stays outside ${ring}: ${PERMISSIONS_WHY}`)]),
  ];
}

const TRACING_FIRST = "tracing stays first: it must see every call.";
const PERMISSIONS_WHY = "no other ring around tools may run a call before it is allowed.";

function hasToolRing(definition: HookDefinition): boolean {
  return createSample(definition)?.wrapToolCall !== undefined;
}

/** A hook as configured in the draft, with the settings of its entry, enabled or not. Throws `invalid_input`. */
export function findHookEntry(
  { hooks }: Pick<AgentConfig, "hooks">,
  name: string,
): Pick<ListedHook, "definition" | "settings"> {
  const definition = findHook(name);
  if (!definition) throw new AppError("invalid_input", explainUnknown(name));
  const entry = hooks?.find((one) => nameOf(one) === name);
  return { definition, settings: entry === undefined ? {} : settingsOf(entry).settings };
}

interface BuiltHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly FieldProblem[];
}

/** Every hook that an agent's `hooks` may name: the built-in ones, then those of the extensions. */
export function allHooks(): readonly HookDefinition[] {
  return [...ALL_HOOKS, ...extensionHooks()];
}

/** Problems of settings point to the field in the entry's config, all others to the entry. */
function locate({ message, details }: AppError, name: string, path: string): FieldProblem[] {
  if (!Array.isArray(details)) return [{ path, message }];
  return (details as FieldProblem[]).map((problem) => ({
    path: [path, "config", problem.path].filter(Boolean).join("."),
    message: `settings of ${name}: ${problem.message}`,
  }));
}

interface ListedHook {
  readonly definition: HookDefinition;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly isEnabled: boolean;
  /** Its path in the config. */
  readonly path: string;
}

function chooseHooks(config: AgentConfig): {
  entries: readonly ListedHook[];
  problems: FieldProblem[];
} {
  const { hooks } = config;
  if (hooks === null) return { entries: STANDARD_HOOKS.map((definition) => listed(definition)), problems: [] };
  const problems: FieldProblem[] = missingHooks({ hooks });
  const found = hooks.flatMap((entry, index): ListedHook[] => {
    const name = nameOf(entry);
    const path = `hooks.${index}`;
    const definition = findHook(name);
    if (!definition) return [];
    if (hooks.slice(0, index).some((earlier) => nameOf(earlier) === name)) {
      problems.push({ path, message: `${name} is listed twice` });
      return [];
    }
    return [{ ...listed(definition), ...settingsOf(entry), path }];
  });
  const entries = withPermissions(withPromptLast(found));
  const mayAsk = mayAskByItself(config);
  return { entries: entries.flatMap((entry) => enabledEntry(entry, mayAsk)), problems };
}

/** Disabling the permissions does not allow what tools ask about on their own. */
function enabledEntry(entry: ListedHook, mayAsk: boolean): ListedHook[] {
  if (entry.isEnabled) return [entry];
  if (!mayAsk || entry.definition.name !== "permissions") return [];
  return [{ ...entry, settings: { ...entry.settings, enabled: false } }];
}

/** The hooks named in a config that are not available here. */
export function missingHooks({ hooks }: Pick<AgentConfig, "hooks">): FieldProblem[] {
  return (hooks ?? []).flatMap((entry, index) => {
    const name = nameOf(entry);
    return findHook(name) ? [] : [{ path: `hooks.${index}`, message: explainUnknown(name) }];
  });
}

function findHook(name: string): HookDefinition | undefined {
  return ALL_HOOKS.find((known) => known.name === name) ?? findExtensionHook(name);
}

function explainUnknown(name: string): string {
  const known = allHooks().map((hook) => hook.name);
  return (
    explainMissing(name, extensions()) ?? `there is no hook ${JSON.stringify(name)}; the hooks are ${known.join(", ")}`
  );
}

function listed(definition: HookDefinition): ListedHook {
  return { definition, settings: {}, isEnabled: true, path: "hooks" };
}

function settingsOf(entry: HookEntry): Pick<ListedHook, "settings" | "isEnabled"> {
  return typeof entry === "string"
    ? { settings: {}, isEnabled: true }
    : { settings: entry.config, isEnabled: entry.enabled };
}

function nameOf(entry: HookEntry): string {
  return typeof entry === "string" ? entry : entry.name;
}

/**
 * An agent with permissions enabled has this hook regardless of its `hooks` list, unless the list itself disables it.
 * The hook sits right inside tracing, so that refusals are traced and no other hook sees the call.
 */
function withPermissions(entries: readonly ListedHook[]): readonly ListedHook[] {
  const [permissions] = STANDARD_HOOKS.filter(({ name }) => name === "permissions");
  if (!permissions || entries.some(({ definition }) => definition === permissions)) return entries;
  const inside = entries.findIndex(({ definition }) => definition.name === "tracing") + 1;
  return entries.toSpliced(inside, 0, listed(permissions));
}

/**
 * The prompt must see what all other hooks add, so it comes last wherever it is listed. Without the hook, `prompt` and
 * `extra_context` would have no effect, so it is present unless disabled.
 */
function withPromptLast(entries: readonly ListedHook[]): ListedHook[] {
  const isPrompt = ({ definition }: ListedHook) => definition.name === PROMPT_HOOK;
  const own = entries.filter(isPrompt);
  const prompt = STANDARD_HOOKS.filter(({ name }) => name === PROMPT_HOOK).map((definition) => listed(definition));
  return [...entries.filter((entry) => !isPrompt(entry)), ...(own.length > 0 ? own : prompt)];
}
