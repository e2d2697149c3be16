import "server-only";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError, invalidField, refuseFields } from "@/lib/schema/app-error";
import type { ApiKey, CreateApiKeyBody, CreatedApiKey } from "@/lib/schema/users/api-key";
import { type AgentReach, effectiveRole, hasAdminScope, Role, Scope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { accessOf, accessOfOwner, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import { KEY_ENDED, reachOf } from "@/lib/server/platform/key-limits";
import type { Services } from "@/lib/server/platform/services";
import { accessEnded } from "./access-ended";
import { hashKey } from "./find-key-owner";
import { LINK_PREFIX } from "./role-endings";
import { SERVICE_USER_ID } from "./service-user";

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
 * Creates a key of one's own; it can only be read in this reply. It never gets more scopes than its owner has, and none
 * of administrators if it is limited to some agents. A key makes no keys: only RINGMASTER_ADMIN_API_KEY does, for
 * others. Throws `forbidden`, `invalid_input`.
 */
export async function createApiKey(services: Services, body: CreateApiKeyBody, viewer: Viewer): Promise<CreatedApiKey> {
  const { database } = services;
  if (viewer.keyId !== undefined) {
    throw new AppError("forbidden", "A key can't make keys. Sign in to make one.");
  }
  const userId = await ownerOfNewKey(database, body, viewer);
  const beyond = body.scopes.filter((scope) => scope !== "admin" && !viewer.scopes.includes(scope));
  if (beyond.length > 0) throw new AppError("forbidden", `You can't give the scope "${beyond[0]}" to a key.`);
  if (body.scopes.includes("admin") && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", 'Only an administrator can give the scope "admin" to a key.');
  }
  const reach = await reachOfNewKey(database, body, viewer, userId);
  if (reach && body.scopes.includes("admin")) {
    throw invalidField("scopes", 'A key that is limited to some agents can\'t have the scope "admin".');
  }
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    throw invalidField("expiresAt", "Must be in the future.");
  }
  const key = `rm_${randomBytes(30).toString("base64url")}`;
  const id = createId("key");
  const create = database.apiKey.create({
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
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: "api_key.created",
    target: `api_key:${id}`,
    after: { userId, name: body.name, scopes: body.scopes, ...reach, expiresAt },
  });
  const [row] = await database.$transaction([create, audit]);
  return { ...toApiKey(row), key };
}

/** People make keys for themselves; only RINGMASTER_ADMIN_API_KEY for others, and no administrator's. */
async function ownerOfNewKey(
  database: Database,
  { userId, scopes }: CreateApiKeyBody,
  viewer: Viewer,
): Promise<string> {
  if (viewer.id !== SERVICE_USER_ID) {
    if (userId === undefined || userId === viewer.id) return viewer.id;
    throw invalidField("userId", "People make their own keys, when they are signed in.");
  }
  const user = await database.user.findFirst({
    where: { id: userId ?? "", deactivatedAt: null, isService: false },
    select: { id: true, role: true, groupRole: true },
  });
  if (!user) throw invalidField("userId", "Name a person that the key is for.");
  if (effectiveRole(Role.parse(user.role), Role.nullable().parse(user.groupRole)) === "admin") {
    throw invalidField("userId", "Administrators make their own keys, when they are signed in.");
  }
  if (scopes.includes("admin"))
    throw invalidField("scopes", "A key for another person can only have the scopes read and chat.");
  return user.id;
}

/** The new key's limits. Throws `invalid_input` for an agent that its owner can't reach, and for a group without them. */
async function reachOfNewKey(
  database: Database,
  body: CreateApiKeyBody,
  viewer: Viewer,
  userId: string,
): Promise<AgentReach | null> {
  const agents = [...new Set(body.agents ?? [])];
  const groupId = body.groupId ?? null;
  if (agents.length === 0 && groupId === null) return null;
  const access = userId === viewer.id ? accessOf(viewer) : accessOfOwner(userId);
  const reachable = await selectReachable(database, agents, access);
  const details = agents.flatMap((agentId, index) =>
    reachable.some(({ id }) => id === agentId)
      ? []
      : [{ path: `agents.${index}`, message: `There is no agent "${agentId}".` }],
  );
  if (groupId !== null) {
    const isAdmin = userId === viewer.id && hasAdminScope(viewer);
    const members = isAdmin ? {} : { members: { some: { userId } } };
    const group = await database.group.findFirst({ where: { id: groupId, ...members }, select: { id: true } });
    if (!group) details.push({ path: "groupId", message: "There is no such group." });
  }
  refuseFields(details);
  return { agents, groupId };
}

/** The viewer's keys, newest first, but to a limited key only itself; `cursor` is the last id of the previous page. */
export async function listApiKeys(
  database: Database,
  viewer: Viewer,
  limit: number,
  cursor?: string,
): Promise<{ apiKeys: ApiKey[]; nextCursor: string | null }> {
  const rows = await findRows(database, viewer, limit + 1, cursor);
  const apiKeys = readEach(rows.slice(0, limit), "API key", toApiKey);
  return { apiKeys, nextCursor: rows.length > limit ? (apiKeys.at(-1)?.id ?? null) : null };
}

/**
 * Revokes a key at once; it stays in the list as revoked, and what was made with it starts nothing more and opens
 * nothing more. Somebody else's key is `not_found`.
 */
export async function revokeApiKey(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { database } = services;
  const row = await database.apiKey.findFirst({
    where: { AND: [{ id }, ownKeys(viewer)] },
    select: { name: true, revokedAt: true, userId: true },
  });
  if (!row) throw new AppError("not_found", "There is no such key.");
  if (row.revokedAt) return;
  const revokedAt = new Date();
  const audit = auditQuery(services, {
    actorId: viewer.id,
    action: "api_key.revoked",
    target: `api_key:${id}`,
    before: { name: row.name, revoked: false },
    after: { name: row.name, revoked: true },
  });
  const off = { enabled: false, nextDueAt: null, pausedReason: "key_revoked", pausedAt: revokedAt };
  await database.$transaction([
    database.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } }),
    database.trigger.updateMany({ where: { apiKeyId: id, enabled: true }, data: off }),
    ...endedWithKey(database, { id, userId: row.userId, revokedAt }),
    audit,
  ]);
  accessEnded(services);
  const stopped = await database.board.findMany({
    where: { apiKeyId: id, stoppedAt: revokedAt },
    select: { id: true },
  });
  for (const { id: boardId } of stopped) announceToUser(row.userId, { type: "board.changed", boardId });
}

/** Boards stop with the reason; links to threads, invitations and links for passwords end. */
function endedWithKey(
  database: Database,
  {
    id,
    userId,
    revokedAt,
  }: {
    readonly id: string;
    readonly userId: string;
    readonly revokedAt: Date;
  },
) {
  const { board, share, verification } = database;
  const named = (field: string) => ({ contains: `${JSON.stringify(field)}:${JSON.stringify(id)}` });
  return [
    board.updateMany({
      where: { apiKeyId: id, stoppedAt: null },
      data: { stoppedAt: revokedAt, stoppedReason: KEY_ENDED.revoked },
    }),
    share.deleteMany({ where: { thread: { ownerId: userId }, content: named("madeByKey") } }),
    verification.deleteMany({ where: { identifier: { startsWith: LINK_PREFIX }, value: named("keyId") } }),
  ];
}

async function findRows(database: Database, viewer: Viewer, take: number, cursor?: string) {
  return database.apiKey.findMany({
    where: { AND: [ownKeys(viewer), cursor ? { id: { lt: cursor } } : {}] },
    orderBy: { id: "desc" },
    take,
    select: FIELDS,
  });
}

function ownKeys({ id: userId, keyId, reach }: Viewer) {
  return { userId, ...(reach && keyId !== undefined ? { id: keyId } : {}) };
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
