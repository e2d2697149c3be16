import "server-only";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { modelRegistry } from "./models";

type Asking = Pick<AgentConfig, "model" | "on_missing_provider">;

interface NewRun {
  readonly ownerId: string;
  readonly agentId: string;
  /** The version that the run uses instead of the published one. */
  readonly versionId?: string | undefined;
  /** The `provider:model` chosen for this run. */
  readonly model?: string;
}

/**
 * Called before a run exists: throws `forbidden` if the owner's role may not use the provider that the run would call.
 * Costs a query only if some provider is restricted.
 */
export async function requireModelAccess({ ownerId, agentId, model, versionId }: NewRun): Promise<void> {
  if (!modelRegistry().hasRestrictions) return;
  const { config } = versionId
    ? await loadAgentVersion(database(), versionId)
    : await loadCurrentVersion(database(), agentId, accessOfOwner(ownerId));
  const role = await roleOf(ownerId);
  const problem = accessProblem(role, await askedModel(model ?? null, config));
  if (problem !== null) throw problem;
}

/** Null if the owner may use every provider. */
export async function restrictedRoleOf(ownerId: string): Promise<Role | null> {
  return modelRegistry().hasRestrictions ? roleOf(ownerId) : null;
}

/** Why the role may not use `provider:model`; null if it may. */
export function accessProblem(role: Role | null, model: string): AppError | null {
  const [provider = ""] = model.split(":", 1);
  const roles = role === null ? undefined : modelRegistry().rolesOf(provider);
  if (role === null || roles === undefined || roles.includes(role)) return null;
  return new AppError(
    "forbidden",
    `Your role (${role}) may not use the provider ${provider}. Choose another model, or ask an administrator to allow it under Admin, Models.`,
  );
}

/** The `provider:model` called first; "" if the default can't be determined now, in which case the run reports why. */
async function askedModel(override: string | null, { model, on_missing_provider: onMissing }: Asking): Promise<string> {
  const registry = modelRegistry();
  const spec: ModelSpec | null = override ?? model;
  if (spec !== null) return registry.nameOf(spec, onMissing);
  return registry.defaultModel().catch(() => "");
}

/** With what their groups give. */
export async function roleOf(ownerId: string): Promise<Role> {
  const user = await database().user.findUnique({ where: { id: ownerId }, select: { role: true, groupRole: true } });
  return effectiveRole(Role.catch("viewer").parse(user?.role), Role.nullable().parse(user?.groupRole ?? null));
}
