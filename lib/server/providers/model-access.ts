import "server-only";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
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
export async function requireModelAccess(
  services: Services,
  { ownerId, agentId, model, versionId }: NewRun,
): Promise<void> {
  if (!modelRegistry(services).hasRestrictions) return;
  const { config } = versionId
    ? await loadAgentVersion(services.database, versionId)
    : await loadCurrentVersion(services.database, agentId, accessOfOwner(ownerId));
  const role = await roleOf(services.database, ownerId);
  const problem = accessProblem(services, role, await askedModel(services, model ?? null, config));
  if (problem !== null) throw problem;
}

/** Null if the owner may use every provider. */
export async function restrictedRoleOf(services: Services, ownerId: string): Promise<Role | null> {
  return modelRegistry(services).hasRestrictions ? roleOf(services.database, ownerId) : null;
}

/** Why the role may not use `provider:model`; null if it may. */
export function accessProblem(services: Services, role: Role | null, model: string): AppError | null {
  const [provider = ""] = model.split(":", 1);
  const roles = role === null ? undefined : modelRegistry(services).rolesOf(provider);
  if (role === null || roles === undefined || roles.includes(role)) return null;
  return new AppError(
    "forbidden",
    `Your role (${role}) may not use the provider ${provider}. Choose another model, or ask an administrator to allow it under Admin, Models.`,
  );
}

/** The `provider:model` called first; "" if the default can't be determined now, in which case the run reports why. */
async function askedModel(
  services: Services,
  override: string | null,
  { model, on_missing_provider: onMissing }: Asking,
): Promise<string> {
  const registry = modelRegistry(services);
  const spec: ModelSpec | null = override ?? model;
  if (spec !== null) return registry.nameOf(spec, onMissing);
  return registry.defaultModel().catch(() => "");
}

/** With what their groups give. */
export async function roleOf(database: Database, ownerId: string): Promise<Role> {
  const user = await database.user.findUnique({ where: { id: ownerId }, select: { role: true, groupRole: true } });
  return effectiveRole(Role.catch("viewer").parse(user?.role), Role.nullable().parse(user?.groupRole ?? null));
}
