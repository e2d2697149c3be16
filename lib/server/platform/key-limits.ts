import { z } from "zod";
import type { KeyState, MadeByKey } from "@/lib/schema/users/api-key";
import type { AgentReach } from "@/lib/schema/users/user";
import type { Database } from "./db/database";

/** What a key still allows to what was made with it. */
export interface KeyLimits {
  readonly state: KeyState;
  /** The agents that it may reach; absent if it may reach whatever its owner may. */
  readonly reach?: readonly string[];
}

export async function keyLimits(database: Database, keyId: string, now = new Date()): Promise<KeyLimits> {
  const row = await database.apiKey.findUnique({
    where: { id: keyId },
    select: { agents: true, groupId: true, expiresAt: true, revokedAt: true },
  });
  if (!row) return { state: "deleted", reach: [] };
  const limits = reachOf(row);
  return { state: stateOf(row, now), ...(limits === null ? {} : { reach: await agentsOf(database, limits) }) };
}

/** The end of something that is made with a key: at the latest with it. `keyId` is undefined for a session. */
export async function noLaterThanKey<End extends Date | null>(
  database: Database,
  keyId: string | undefined,
  expiresAt: End,
): Promise<End | Date> {
  if (keyId === undefined) return expiresAt;
  const key = await database.apiKey.findUnique({ where: { id: keyId }, select: { expiresAt: true } });
  const end = key?.expiresAt ?? null;
  return end === null || (expiresAt !== null && expiresAt <= end) ? expiresAt : end;
}

function stateOf({ expiresAt, revokedAt }: { expiresAt: Date | null; revokedAt: Date | null }, now: Date): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "valid";
}

/** A key's limits; null for one that may reach whatever its owner may. */
export function reachOf(row: { readonly agents: string | null; readonly groupId: string | null }): AgentReach | null {
  if (row.agents === null && row.groupId === null) return null;
  return { agents: z.array(z.string()).parse(JSON.parse(row.agents ?? "[]")), groupId: row.groupId };
}

async function agentsOf(database: Database, { agents, groupId }: AgentReach): Promise<string[]> {
  if (groupId === null) return agents;
  const ofGroup = await database.groupAgent.findMany({ where: { groupId }, select: { agentId: true } });
  return [...new Set([...agents, ...ofGroup.map(({ agentId }) => agentId)])];
}

/** Why nothing made with the key starts any more, as a sentence. */
export const KEY_ENDED: Readonly<Record<Exclude<KeyState, "valid">, string>> = {
  revoked: "The API key that it was made with has been revoked.",
  expired: "The API key that it was made with has expired.",
  deleted: "The API key that it was made with is gone.",
};

/** Why nothing starts any more for a person who has no access, or only looks on, as a sentence. */
export const OWNER_ENDED = {
  deactivated: "Its owner has been deactivated.",
  demoted: "Its owner may no longer start runs.",
} as const;

/** The keys with which rows were made, for the pages that show them; by id. */
export async function madeByKeys(
  database: Database,
  rows: readonly { readonly apiKeyId: string | null }[],
  now = new Date(),
): Promise<Map<string, MadeByKey>> {
  const ids = [...new Set(rows.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  if (ids.length === 0) return new Map();
  const keys = await database.apiKey.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true, expiresAt: true, revokedAt: true },
  });
  return new Map(
    ids.map((id): [string, MadeByKey] => {
      const key = keys.find((known) => known.id === id);
      if (!key) return [id, { id, name: null, state: "deleted", expiresAt: null }];
      const expiresAt = key.expiresAt?.toISOString() ?? null;
      return [id, { id, name: key.name, state: stateOf(key, now), expiresAt }];
    }),
  );
}
