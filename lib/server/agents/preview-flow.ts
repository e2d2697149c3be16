import "server-only";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import type { Tool } from "@/lib/agent/tools/tool";
import { permissionSubject } from "@/lib/hooks/tool-subject";
import { isStillRefused } from "@/lib/models/refusals/remedies";
import { explainPermission, isOffered } from "@/lib/permissions/explain-permission";
import { ruleNames } from "@/lib/permissions/permission-rules";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import { contextRules } from "@/lib/schema/agents/context-rules";
import type { FlowPreview } from "@/lib/schema/agents/flow-preview";
import type { PreviewBody } from "@/lib/schema/agents/prompt";
import type { Viewer } from "@/lib/schema/users/user";
import { offeredSubagents } from "@/lib/server/engine/children/offered-subagents";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { guardModeOf } from "@/lib/server/platform/guard-default";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "@/lib/server/providers/first-model";
import { defaultFallbacks, keptRefusals, modelRegistry } from "@/lib/server/providers/models";
import { runWindow } from "@/lib/server/providers/run-window";
import { assembleAgent } from "./assemble-agent";
import { previewedConfig } from "./prompt/previewed-config";

/**
 * How a message travels through a config. Built by the same functions as a run, so the display can't differ from a run.
 * Throws `not_found`, `invalid_input` for an invalid config.
 */
export async function previewFlow(
  services: Services,
  agentId: string,
  body: PreviewBody,
  viewer: Viewer,
): Promise<FlowPreview> {
  const { config } = await previewedConfig(services, agentId, body, viewer);
  const [{ hooks, tools }, found, models, subagents] = await Promise.all([
    assembleAgent(services, config),
    runWindow(services, config),
    modelsOf(services, config),
    offeredSubagents(services.database, config, accessOf(viewer)),
  ]);
  const { max_message_chars: maxMessageChars, threads, budget, loop_guard: loopGuard } = config;
  return {
    input: { guard: guardModeOf(config), maxMessageChars, onBusy: threads.on_busy },
    ...found,
    rules: contextRules(config, found.window),
    hooks: hooks.map((hook) => ({ name: hook.name, phases: hookPhases(hook) })),
    models,
    retries: config.retries,
    maxParallelTools: config.tool_settings.max_parallel,
    tools: tools.map((tool) => ({ ...flowTool(tool, tools, config), refusedBy: refusersOf(services, tool, models) })),
    subagents,
    ending: {
      maxIterations: config.max_iterations,
      onLimit: config.on_limit,
      runMs: config.timeouts.run_ms,
      stopAtRepeats: loopGuard.enabled ? loopGuard.stop_at : null,
      runUsd: budget.run_usd,
      runTokens: budget.run_tokens,
      onReach: budget.on_reach,
    },
  };
}

async function modelsOf(services: Services, config: AgentConfig): Promise<string[]> {
  const { model, fallback_models: own, on_missing_provider: onMissing } = config;
  const fallbacks = own.length === 0 && model === null ? defaultFallbacks(services) : own;
  return [
    await firstModel(services, config),
    ...fallbacks.map((spec) => modelRegistry(services).nameOf(spec, onMissing)),
  ];
}

/** Those of the models whose provider refused the tool as it is now. */
function refusersOf(services: Services, tool: Tool, models: readonly string[]): string[] {
  const refused = keptRefusals(services).tools.filter((entry) => isStillRefused(entry, tool));
  return models.filter((name) => refused.some(({ provider, model }) => name === `${provider}:${model}`));
}

/** The decision about a call without arguments, and how many rules depend on the arguments. */
function flowTool(
  tool: Tool,
  tools: readonly Tool[],
  config: AgentConfig,
): Omit<FlowPreview["tools"][number], "refusedBy"> {
  const subject = permissionSubject(tool, config.backend?.workdir ?? "/workspace", (other) =>
    tools.some((known) => known.name === other),
  );
  const permissions = permissionSettings(config);
  const { verdict, explanation } = explainPermission({ tool: tool.name, args: {} }, subject, permissions);
  const all = permissions.enabled ? [...permissions.deny, ...permissions.ask, ...permissions.allow] : permissions.allow;
  const rules = all.filter((rule) => dependsOnArguments(rule) && ruleNames(rule, tool.name, subject.aliases)).length;
  return {
    name: tool.name,
    readOnly: subject.annotations.readOnly === true,
    verdict,
    explanation,
    rules,
    offered: isOffered(tool.name, subject, permissions),
  };
}

function dependsOnArguments(rule: PermissionRule): boolean {
  return typeof rule !== "string" && (Object.keys(rule.args).length > 0 || rule.prefix !== undefined);
}
