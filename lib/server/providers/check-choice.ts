import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Effort } from "@/lib/schema/agents/choices";
import { AppError } from "@/lib/schema/app-error";
import type { Role } from "@/lib/schema/users/user";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { AgentAccess } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "./first-model";
import { requireModelAccess, roleOf } from "./model-access";
import { modelRegistry } from "./models";
import { acceptedEfforts, offeredModels } from "./offered-choices";

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
export async function requireChoice(services: Services, { versionId, access, ...chosen }: Chosen): Promise<void> {
  const { ownerId, agentId, model, effort } = chosen;
  if (model !== undefined || effort !== undefined) {
    const { config } = versionId
      ? await loadAgentVersion(services.database, versionId)
      : await loadCurrentVersion(services.database, agentId, access);
    if (model !== undefined) await checkModel(services, { model, ownerId, isAgain: chosen.isAgain ?? false }, config);
    if (effort !== undefined) checkEffort(effort, config);
  }
  await requireModelAccess(services, { ownerId, agentId, model, versionId });
}

/** The models with which somebody in this role may repeat an answer: the agent's own, its choices and its fallbacks. */
export async function repeatModels(services: Services, config: AgentConfig, role: Role): Promise<string[]> {
  const { fallback_models: fallbacks, on_missing_provider: onMissing } = config;
  const spare = fallbacks.map((model) => modelRegistry(services).nameOf(model, onMissing));
  return [...new Set([await firstModel(services, config), ...(await offeredModels(services, config, role)), ...spare])];
}

interface CheckedModel {
  readonly model: string;
  readonly ownerId: string;
  readonly isAgain: boolean;
}

async function checkModel(
  services: Services,
  { model, ownerId, isAgain }: CheckedModel,
  config: AgentConfig,
): Promise<void> {
  const role = await roleOf(services.database, ownerId);
  const all = isAgain
    ? await repeatModels(services, config, role)
    : [await firstModel(services, config), ...(await offeredModels(services, config, role))];
  const name = modelRegistry(services).nameOf(model, config.on_missing_provider);
  if (all.includes(name)) return;
  const names = [...new Set(all)];
  throw refused(
    "model",
    names.length === 1
      ? `${name} can't be picked for this agent: it answers with ${names[0]} only. Name no other model.`
      : `${name} can't be picked for this agent. Choose ${listed(names)}, or name no model.`,
  );
}

function checkEffort(effort: Effort, config: AgentConfig): void {
  const efforts = acceptedEfforts(config);
  if (efforts.includes(effort)) return;
  throw refused(
    "effort",
    efforts.length === 0
      ? "This agent offers no choice of effort. Send the message without one."
      : `This agent takes the effort ${listed(efforts)}. Choose one of them, or name none.`,
  );
}

/** The names in a sentence; of many only the first ones. */
function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const shown = more > 0 ? [...names.slice(0, MOST_NAMED), `one of ${more} more`] : names;
  return new Intl.ListFormat("en", { type: "disjunction" }).format(shown);
}

const MOST_NAMED = 8;

function refused(path: string, message: string): AppError {
  return new AppError("invalid_input", message, { details: [{ path, message }] });
}
