import type { PausedReason } from "@/lib/schema/triggers/schedule";
import { effectiveRole, Role } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { KEY_ENDED, keyLimits, OWNER_ENDED } from "@/lib/server/platform/key-limits";
import { areInReach } from "@/lib/server/platform/within-reach";

/** The reasons, in words, for a trigger not to start anything. */
export const REFUSED: Readonly<Record<PausedReason, string>> = {
  failures: "Paused after failures in a row.",
  owner_deactivated: OWNER_ENDED.deactivated,
  owner_demoted: OWNER_ENDED.demoted,
  agent_deleted: "Its agent is gone, or its owner can no longer reach it.",
  never_due: "It is not due again.",
  removed_from_config: "The agent's config no longer has it.",
  imported: "It was imported and has not been switched on yet.",
  key_revoked: KEY_ENDED.revoked,
  key_expired: KEY_ENDED.expired,
  key_deleted: KEY_ENDED.deleted,
  key_reach: "The API key that it was made with can no longer reach its agent.",
  idle: "Its person has not written to the agent for so long that it paused. The next message wakes it.",
};

/** Whose runs are started, with which agents, and the API key with which that was set up. */
interface Starter extends Pick<TriggerRow, "ownerId"> {
  readonly apiKeyId?: string | null;
  readonly agentId?: string;
}

/** Why the owner, or the key used, can't have runs now; null if they can. */
export async function whyPaused(database: Database, starter: Starter): Promise<PausedReason | null> {
  return (await whyOwnerPaused(database, starter)) ?? (await whyKeyPaused(database, starter));
}

/** The same for a linked chat, whose trigger has its id. */
export async function whyLinkPaused(
  database: Database,
  { id, userId, agentId }: { readonly id: string; readonly userId: string; readonly agentId: string },
): Promise<PausedReason | null> {
  const trigger = await database.trigger.findUnique({ where: { id }, select: { apiKeyId: true } });
  return whyPaused(database, { ownerId: userId, agentId, apiKeyId: trigger?.apiKeyId ?? null });
}

/** The same of the key alone. */
export async function whyKeyPaused(
  database: Database,
  { apiKeyId, agentId }: Pick<Starter, "apiKeyId" | "agentId">,
): Promise<PausedReason | null> {
  if (apiKeyId === null || apiKeyId === undefined) return null;
  const { state, reach } = await keyLimits(database, apiKeyId);
  if (state !== "valid") return `key_${state}`;
  return agentId === undefined || areInReach({ reach }, [agentId]) ? null : "key_reach";
}

async function whyOwnerPaused(database: Database, { ownerId }: Starter): Promise<PausedReason | null> {
  if (ownerId === null) return "imported";
  const owner = await database.user.findUnique({
    where: { id: ownerId },
    select: { role: true, groupRole: true, deactivatedAt: true },
  });
  if (!owner || owner.deactivatedAt !== null) return "owner_deactivated";
  const role = effectiveRole(Role.catch("viewer").parse(owner.role), Role.nullable().parse(owner.groupRole));
  return role === "viewer" ? "owner_demoted" : null;
}
