import "server-only";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { ApiKey, CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/users/api-key";
import { type AgentReach, hasAdminScope, Scope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { createId } from "@/lib/server/platform/create-id";
import { database } from "@/lib/server/platform/db/database";
import { accessOf, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import { accessEnded } from "./access-ended";
import { hashKey, reachOf } from "./find-key-owner";

const FIELDS = {
  id: true,
  userId: true,
  name: true,
  prefix: true,
  scopes: true,
  agents: true,
  groupId: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
} as const;

type KeyRow = Awaited<ReturnType<typeof findRows>>[number];

/**
 * Creates a key; it can only be read in this reply. A key never gets more scopes than the caller used to create it.
 * Throws `not_found` if a non-admin names someone else, or the named user does not exist.
 */
export async function createApiKey(body: CreateApiKeyBody, viewer: Viewer): Promise<CreatedApiKey> {
  const userId = body.userId ?? viewer.id;
  if (userId !== viewer.id && !hasAdminScope(viewer)) throw noUser();
  const owner = await database().user.findFirst({ where: { id: userId, deactivatedAt: null }, select: { id: true } });
  if (!owner) throw noUser();
  const beyond = body.scopes.filter((scope) => scope !== "admin" && !viewer.scopes.includes(scope));
  if (beyond.length > 0) throw new AppError("forbidden", `You can't give the scope "${beyond[0]}" to a key.`);
  if (body.scopes.includes("admin") && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", 'Only an administrator can give the scope "admin" to a key.');
  }
  const reach = await reachOfNewKey(body, viewer);
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw new AppError("invalid_input", "expiresAt: must be in the future.", {
      details: [{ path: "expiresAt", message: "Must be in the future." }],
    });
  }
  const key = `rm_${randomBytes(30).toString("base64url")}`;
  const id = createId("key");
  const create = database().apiKey.create({
    data: {
      id,
      userId,
      name: body.name,
      prefix: key.slice(0, 9),
      sha256: hashKey(key),
      scopes: JSON.stringify([...new Set(body.scopes)]),
      agents: reach && JSON.stringify(reach.agents),
      groupId: reach?.groupId ?? null,
      expiresAt,
    },
    select: FIELDS,
  });
  const audit = auditQuery({
    actorId: viewer.id,
    action: "api_key.created",
    target: `api_key:${id}`,
    after: { userId, name: body.name, scopes: body.scopes, ...reach, expiresAt },
  });
  const [row] = await database().$transaction([create, audit]);
  return { ...toApiKey(row), key };
}

/**
 * The new key's limits. A caller whose own key is limited can't create a wider one. Throws `invalid_input` for an agent
 * that the caller can't reach, and for a group that they are not in.
 */
async function reachOfNewKey(body: CreateApiKeyBody, viewer: Viewer): Promise<AgentReach | null> {
  const agents = [...new Set(body.agents ?? [])];
  const groupId = body.groupId ?? null;
  if (agents.length === 0 && groupId === null) return null;
  if (viewer.reach && (groupId !== null || agents.length === 0)) {
    throw new AppError("forbidden", "Your key is limited to some agents. Name agents for the new key, of those.");
  }
  const reachable = await selectReachable(database(), agents, accessOf(viewer));
  const details = agents.flatMap((agentId, index) =>
    reachable.some(({ id }) => id === agentId)
      ? []
      : [{ path: `agents.${index}`, message: `There is no agent "${agentId}".` }],
  );
  if (groupId !== null) {
    const members = hasAdminScope(viewer) ? {} : { members: { some: { userId: viewer.id } } };
    const group = await database().group.findFirst({ where: { id: groupId, ...members }, select: { id: true } });
    if (!group) details.push({ path: "groupId", message: "There is no such group." });
  }
  const [first] = details;
  if (first) throw new AppError("invalid_input", `${first.path}: ${first.message}`, { details });
  return { agents, groupId };
}

/** The viewer's keys, newest first; `cursor` is the last id of the previous page. */
export async function listApiKeys(
  viewer: Viewer,
  limit: number,
  cursor?: string,
): Promise<{ apiKeys: ApiKey[]; nextCursor: string | null }> {
  const rows = await findRows(viewer.id, limit + 1, cursor);
  const apiKeys = rows.slice(0, limit).map(toApiKey);
  return { apiKeys, nextCursor: rows.length > limit ? (apiKeys.at(-1)?.id ?? null) : null };
}

/** Revokes a key at once; it stays in the list as revoked. Somebody else's key is `not_found`. */
export async function revokeApiKey(id: string, viewer: Viewer): Promise<void> {
  const row = await database().apiKey.findFirst({
    where: { id, userId: viewer.id },
    select: { name: true, revokedAt: true },
  });
  if (!row) throw new AppError("not_found", "There is no such key.");
  if (row.revokedAt) return;
  const revokedAt = new Date();
  const audit = auditQuery({
    actorId: viewer.id,
    action: "api_key.revoked",
    target: `api_key:${id}`,
    before: { name: row.name, revoked: false },
    after: { name: row.name, revoked: true },
  });
  await database().$transaction([
    database().apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } }),
    audit,
  ]);
  accessEnded();
}

async function findRows(userId: string, take: number, cursor?: string) {
  return database().apiKey.findMany({
    where: { userId, ...(cursor ? { id: { lt: cursor } } : {}) },
    orderBy: { id: "desc" },
    take,
    select: FIELDS,
  });
}

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.userId,
    name: row.name,
    prefix: row.prefix,
    scopes: z.array(Scope).parse(JSON.parse(row.scopes)),
    agents: reachOf(row)?.agents ?? null,
    groupId: row.groupId,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

function noUser(): AppError {
  return new AppError("not_found", "There is no such user.");
}
