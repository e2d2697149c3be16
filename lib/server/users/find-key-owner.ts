import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { Scope } from "@/lib/schema/users/user";
import { BEARER_FAILURES, checkRate, clientKey, countRate } from "@/lib/server/http/rate-limit";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { env } from "@/lib/server/platform/env";
import { reachOf } from "@/lib/server/platform/key-limits";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";
import type { Services } from "@/lib/server/platform/services";
import { ALONE, type LookUp } from "./credentials";
import { ensureServiceUser } from "./service-user";

const LAST_USED_STEP_MS = 60_000;

const Texts = z.array(z.string());

interface KeyOwner {
  readonly user: { id: string; name: string; email: string; role: string; groupRole: string | null };
  /** The key's scopes, whatever its owner's role. */
  readonly scopes: readonly Scope[];
  /** Absent for RINGMASTER_ADMIN_API_KEY, which has no row. */
  readonly keyId?: string;
  /** The agents that the key may reach; absent for all that its owner may reach. */
  readonly reach?: string[];
}

/**
 * The owner of `Bearer <key>`: the built-in user `service` for RINGMASTER_ADMIN_API_KEY, otherwise the key's user.
 * Throws `unauthorized` with the same message for every key that is not currently valid; only failures are throttled.
 */
export async function findKeyOwner(
  services: Services,
  authorization: string,
  headers: Headers,
  lookUp: LookUp = ALONE,
): Promise<KeyOwner> {
  const key = /^Bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  const owner = key ? await ownerOf(services, key, lookUp) : null;
  if (owner) return owner;
  await checkRate(services, BEARER_FAILURES, clientKey(headers));
  await countRate(services, BEARER_FAILURES, clientKey(headers));
  throw new AppError("unauthorized", "The API key is not valid: it is wrong, expired or revoked.");
}

/** The stored form of a key. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

async function ownerOf(services: Services, key: string, lookUp: LookUp): Promise<KeyOwner | null> {
  const sha256 = hashKey(key);
  const adminKey = env().adminApiKey;
  if (adminKey && isSameSecret(key, adminKey)) {
    return { user: await ensureServiceUser(services), scopes: Scope.options };
  }
  const row = await lookUp.key(services.database, sha256);
  if (!row) return null;
  if (!row.lastUsedAt || Date.now() - row.lastUsedAt.getTime() > LAST_USED_STEP_MS) {
    await lookUp.noteUse(services.database, row.id);
  }
  const [read] = readEach([row], "API key", ({ scopes, groupAgents }) => ({
    limits: reachOf(row),
    ofGroup: Texts.parse(JSON.parse(groupAgents ?? "[]")),
    stored: z.array(Scope).parse(JSON.parse(scopes)),
  }));
  if (!read) return null;
  const { limits, ofGroup, stored } = read;
  if (!limits) return { keyId: row.id, user: row.user, scopes: stored };
  const reach = [...new Set([...limits.agents, ...ofGroup])];
  return { keyId: row.id, user: row.user, scopes: limitedScopes(stored), reach };
}

/** A key that is limited to some agents administers nothing: the scope `admin` only stood for the other two. */
export function limitedScopes(scopes: readonly Scope[]): Scope[] {
  return scopes.includes("admin") ? ["read", "chat"] : [...scopes];
}
