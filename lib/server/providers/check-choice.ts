import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Effort } from "@/lib/schema/agents/choices";
import { AppError } from "@/lib/schema/app-error";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { database } from "@/lib/server/platform/db/database";
import type { AgentAccess } from "@/lib/server/platform/db/queries/agent-access";
import { firstModel } from "./first-model";
import { requireModelAccess } from "./model-access";
import { modelRegistry } from "./models";

interface Chosen {
  readonly ownerId: string;
  readonly agentId: string;
  readonly access: AgentAccess;
  /** Default: the agent's current version. */
  readonly versionId?: string | undefined;
  readonly model?: string | undefined;
  readonly effort?: Effort | undefined;
  /** An answer is being repeated: the agent's fallback models are allowed too. */
  readonly isAgain?: boolean;
}

/**
 * Called before a run exists: throws `invalid_input` for a model or effort that the agent's `choices` do not allow, and
 * `forbidden` if the owner's role may not use the provider that the run would call.
 */
export async function requireChoice({ versionId, access, ...chosen }: Chosen): Promise<void> {
  const { ownerId, agentId, model, effort } = chosen;
  if (model !== undefined || effort !== undefined) {
    const { config } = versionId
      ? await loadAgentVersion(database(), versionId)
      : await loadCurrentVersion(database(), agentId, access);
    if (model !== undefined) await checkModel(model, config, chosen.isAgain ?? false);
    if (effort !== undefined) checkEffort(effort, config);
  }
  await requireModelAccess({ ownerId, agentId, model });
}

/** The `provider:model` values that may be picked instead of the agent's own. */
export function offeredModels({ choices, on_missing_provider: onMissing }: AgentConfig): string[] {
  return [...new Set(choices.models.map((model) => modelRegistry().nameOf(model, onMissing)))];
}

/** The models that may repeat an answer: the agent's own, its choices and its fallback models. */
export async function repeatModels(config: AgentConfig): Promise<string[]> {
  const { fallback_models: fallbacks, on_missing_provider: onMissing } = config;
  const spare = fallbacks.map((model) => modelRegistry().nameOf(model, onMissing));
  return [...new Set([await firstModel(config), ...offeredModels(config), ...spare])];
}

async function checkModel(model: string, config: AgentConfig, isAgain: boolean): Promise<void> {
  const all = isAgain ? await repeatModels(config) : [await firstModel(config), ...offeredModels(config)];
  if (all.includes(modelRegistry().nameOf(model, config.on_missing_provider))) return;
  const names = [...new Set(all)];
  throw refused(
    "model",
    names.length === 1
      ? `This agent answers with ${names[0]} only. Name no other model.`
      : `This agent answers with ${listed(names)}. Choose one of them, or name no model.`,
  );
}

function checkEffort(effort: Effort, { choices: { efforts } }: AgentConfig): void {
  if (efforts.includes(effort)) return;
  throw refused(
    "effort",
    efforts.length === 0
      ? "This agent offers no choice of effort. Send the message without one."
      : `This agent takes the effort ${listed(efforts)}. Choose one of them, or name none.`,
  );
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path, message }] });
}
