import "server-only";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import type { AgentFlow } from "@/lib/schema/agents/agent-api";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { AgentInfo, DelegateList, SandboxStatus } from "@/lib/schema/agents/agent-info";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { type AgentVersion, loadVersionOrNull } from "@/lib/server/engine/agent-version";
import { offeredDelegates } from "@/lib/server/engine/children/offered-delegates";
import { backendStatus } from "@/lib/server/files/sandbox-probe";
import { accessOf, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "@/lib/server/providers/first-model";
import { offeredChoices } from "@/lib/server/providers/offered-choices";
import { contextWindowOfRun } from "@/lib/server/providers/run-window";
import { assembleAgent } from "./assemble-agent";
import { findWarnings } from "./config/find-warnings";
import { namedVersion } from "./versions/named-version";

/** An agent as its users see it, in the named version; `system_prompt` is for admins only. Throws `not_found`. */
export async function getAgentInfo(
  services: Services,
  agentId: string,
  viewer: Viewer,
  version?: string,
): Promise<AgentInfo> {
  return describeVersion(services, await namedVersion(services, agentId, version, viewer), viewer);
}

/**
 * The agents the viewer can reach, either all except deleted ones or only deleted ones, by id, with the time of the
 * latest change.
 */
export async function listAgentInfos(
  services: Services,
  viewer: Viewer,
  which: "active" | "archived" = "active",
): Promise<(AgentInfo & { updatedAt: string })[]> {
  const agents = await services.database.agent.findMany({
    where: {
      deletedAt: which === "active" ? null : { not: null },
      currentVersionId: { not: null },
      ...reachableWhere(accessOf(viewer)),
    },
    orderBy: { id: "asc" },
    select: { currentVersionId: true, updatedAt: true },
  });
  const infos = await Promise.all(
    agents.map(async ({ currentVersionId, updatedAt }) => {
      const version = await loadVersionOrNull(services.database, currentVersionId ?? "");
      return version && { ...(await describeVersion(services, version, viewer)), updatedAt: updatedAt.toISOString() };
    }),
  );
  return infos.filter((info) => info !== null);
}

/** Whom it may hand over to, as a run of the viewer is told. Throws `not_found`. */
export async function listDelegates(
  services: Services,
  agentId: string,
  viewer: Viewer,
): Promise<DelegateList["delegates"]> {
  const { config } = await namedVersion(services, agentId, undefined, viewer);
  return [...(await offeredDelegates(services.database, config, accessOf(viewer)))];
}

/** The flow of one run: hooks by phase, limits and steps. Throws `not_found`. */
export async function getAgentFlow(
  services: Services,
  agentId: string,
  viewer: Viewer,
  version?: string,
): Promise<AgentFlow> {
  const { config } = await namedVersion(services, agentId, version, viewer);
  const { hooks, tools } = await assembleAgent(services, config);
  const infos = hooks.map((hook) => ({ name: hook.name, phases: hookPhases(hook) }));
  const inPhase = (phase: string) => infos.flatMap(({ name, phases }) => (phases.includes(phase) ? [name] : []));
  return {
    agent_id: agentId,
    model: await firstModel(services, config),
    hooks: infos,
    phases: PHASES.map((phase) => ({ phase, hooks: inPhase(phase) })),
    tools: tools.map(({ name }) => name),
    limits: {
      max_iterations: config.max_iterations,
      on_limit: config.on_limit,
      max_tokens: config.max_tokens,
      context_window: await contextWindowOfRun(services, config),
      max_parallel_tools: config.tool_settings.max_parallel,
      tool_timeout_ms: config.tool_settings.timeout_ms,
      ...config.timeouts,
    },
    steps: STEPS.map(({ phase, name, description }, index) => ({
      step: index + 1,
      name,
      description,
      hooks: phase ? inPhase(phase) : [],
    })),
  };
}

/** `version` is null for one without a number. */
export async function describeVersion(
  services: Services,
  { agentId, number, config }: AgentVersion,
  viewer: Viewer,
): Promise<AgentInfo> {
  const { hooks, tools, problems } = await assembleAgent(services, config);
  return {
    id: agentId,
    name: config.name,
    description: config.description,
    starters: config.starters,
    model: await firstModel(services, config),
    system_prompt: hasAdminScope(viewer) ? config.system_prompt : null,
    tools: tools.map(({ name }) => name),
    hooks: hooks.map((hook) => ({ name: hook.name, phases: hookPhases(hook) })),
    backend: config.backend,
    skills: config.skills,
    memory: config.memory,
    choices: await offeredChoices(services, config, viewer.role),
    context_window: await contextWindowOfRun(services, config),
    max_message_chars: config.max_message_chars,
    version: number,
    sandbox: await sandboxOf(config),
    warnings: hasAdminScope(viewer) ? [...problems, ...(await findWarnings(services, config))] : [],
  };
}

async function sandboxOf({ backend }: AgentConfig): Promise<SandboxStatus | null> {
  return backend?.type === "local" ? backendStatus(backend) : null;
}

const PHASES = ["before_agent", "modify_request", "wrap_model_call", "wrap_tool_call", "after_agent"];

const STEPS: readonly { name: string; description: string; phase?: string }[] = [
  { name: "prepare", description: "Hooks load what they need and offer their tools.", phase: "before_agent" },
  { name: "request", description: "Each hook in turn returns the request to send.", phase: "modify_request" },
  { name: "model", description: "The model is called inside the hooks, first outermost.", phase: "wrap_model_call" },
  { name: "tools", description: "The reply's tool calls run at the same time.", phase: "wrap_tool_call" },
  { name: "repeat", description: "From the request again, until a reply calls no tool or a limit is reached." },
  { name: "finish", description: "Hooks see how the run ended; the messages are stored.", phase: "after_agent" },
];
