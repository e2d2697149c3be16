import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { describingContext } from "@/lib/agent/describing-context";
import type { Hook } from "@/lib/agent/hooks/hook";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { Tool } from "@/lib/agent/tools/tool";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import { offeredDelegates } from "@/lib/server/engine/children/offered-delegates";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import { extensions } from "@/lib/server/extensions/extensions";
import type { ExtensionRegistry } from "@/lib/server/extensions/registry";
import { backendProbe } from "@/lib/server/files/sandbox-probe";
import { type AgentAccess, EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { agentTools } from "@/lib/server/tools/agent-tools";
import { offeredTaskTools } from "@/lib/server/tools/task-tools";
import { NO_SUBAGENTS } from "@/lib/tools/task";
import { createStateWorkspace, type StateFileStore } from "@/lib/workspaces/state-workspace";
import { missingParts } from "./config/find-missing";
import { STANDARD_HOOKS } from "./hooks/hook-table";
import { allHooks, buildHooks } from "./hooks/standard-hooks";

/**
 * What a run of the agent consists of. Runs are built by the same functions, so the display can't differ from a run.
 */
export interface AssembledAgent {
  readonly hooks: readonly Hook[];
  /** The agent's own tools and those its hooks offer at the start of a run; on a name clash the hook's tool wins. */
  readonly tools: readonly Tool[];
  /** Problems with hooks and sections named in the config: they are omitted here, and the agent's runs fail. */
  readonly problems: readonly FieldProblem[];
}

/** The names that an agent's `hooks` may list. */
export function hookNames(): string[] {
  return allHooks().map(({ name }) => name);
}

/** The hook order that `hooks: null` stands for. */
export function standardHookNames(): string[] {
  return STANDARD_HOOKS.map(({ name }) => name);
}

/** The hooks and tools of a config over an empty workspace. Missing ones are omitted. */
export async function assembleAgent(services: Services, config: AgentConfig): Promise<AssembledAgent> {
  const { hooks, problems } = buildHooks({
    config,
    workspace: await emptyWorkspace(config),
    fileHistory: null,
    verboseTrace: false,
  });
  const tools = new Map((await ownTools(services, config)).map((tool) => [tool.name, tool]));
  const context = describingContext(config, tools);
  for (const hook of hooks) {
    if (!hook.extension) await hook.beforeAgent?.(context);
    else for (const tool of await toolsOfExtensionHook(hook, config)) tools.set(tool.name, tool);
  }
  return { hooks, tools: [...tools.values()], problems: [...problems, ...missingParts(config)] };
}

/**
 * The tools offered by extension hooks, cached until extensions reload, so that listing agents doesn't recompute them.
 */
const offered = new WeakMap<ExtensionRegistry, Map<string, Promise<readonly Tool[]>>>();

const OFFER_LIMIT_MS = 2_000;

/**
 * The tools registered by an extension's hook. The hook is called as in a later segment, so its once-per-run work is
 * skipped. A hook that throws or takes too long outside a run is omitted here; its runs are not affected.
 */
export function toolsOfExtensionHook(hook: Hook, config: AgentConfig): Promise<readonly Tool[]> {
  const known = offered.get(extensions()) ?? new Map<string, Promise<readonly Tool[]>>();
  offered.set(extensions(), known);
  const key = `${hook.name} ${JSON.stringify(config)}`;
  const tools = known.get(key) ?? askForTools(hook, config);
  known.set(key, tools);
  return tools;
}

async function askForTools(hook: Hook, config: AgentConfig): Promise<readonly Tool[]> {
  const tools = new Map<string, Tool>();
  const context = { ...describingContext(config, tools), segment: 1 };
  const late = sleep(OFFER_LIMIT_MS, undefined, { ref: false });
  const asked = hook.beforeAgent?.(context).catch((error: unknown) => {
    logger().warn({ hook: hook.name }, `a hook could not be asked for its tools: ${messageOf(error)}`);
  });
  await Promise.race([asked, late]);
  return [...tools.values()];
}

/** The tools of a run before its hooks add theirs; none of them starts a subagent. `access` is the owner's. */
export async function ownTools(
  services: Services,
  config: AgentConfig,
  access: AgentAccess = EVERY_AGENT,
): Promise<Tool[]> {
  const [offered, delegates] = await Promise.all([
    offeredSubagents(services.database, config, access),
    offeredDelegates(services.database, config, access),
  ]);
  const subagents = { ...NO_SUBAGENTS, offered, delegates };
  return [...(await agentTools(services, config)), ...offeredTaskTools(config, subagents, () => null)];
}

/** A workspace without files, with commands if the sandbox works; for agents that are only described. */
export async function emptyWorkspace({ backend }: AgentConfig): Promise<Workspace | null> {
  if (!backend) return null;
  const workspace = createStateWorkspace(NO_FILES);
  if (backend.type === "state" || !(await backendProbe(backend)).available) return workspace;
  return { ...workspace, type: "local", execute: () => Promise.reject(new Error("described, not run")) };
}

const NO_FILES: StateFileStore = {
  list: async () => [],
  find: async () => [],
  read: async () => null,
  write: async () => {},
  remove: async () => false,
  totalBytes: async () => 0,
};
