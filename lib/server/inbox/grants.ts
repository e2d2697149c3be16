import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { EVERYONE, type GrantList, type GrantQuery } from "@/lib/schema/runs/interrupt";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { rulesHashOf } from "@/lib/server/engine/asks/grants";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { isNotFound } from "@/lib/server/platform/db/errors";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach } from "@/lib/server/platform/within-reach";

type GrantViewer = Pick<Viewer, "id" | "scopes" | "reach">;

/** The viewer's active grants, newest first; with `ownerId`, those of another person or of everyone. */
export async function listGrants(database: Database, viewer: GrantViewer, query: GrantQuery): Promise<GrantList> {
  const { ownerId, threadId, limit, cursor } = query;
  if (ownerId !== undefined && ownerId !== viewer.id && !hasAdminScope(viewer)) {
    throw new AppError("forbidden", "Only administrators see what other people have allowed.");
  }
  const rows = await database.grant.findMany({
    where: {
      ...(ownerId === EVERYONE ? {} : { ownerId: ownerId ?? viewer.id }),
      revokedAt: null,
      expiresAt: { gt: new Date() },
      thread: { deletedAt: null, ...homeInReach(viewer) },
      ...(threadId === undefined ? {} : { threadId }),
      ...timeCursors.behind(cursor, "createdAt", "descending"),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: { thread: { select: { title: true, agentId: true, owner: { select: { name: true } } } } },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  const rules = await currentRules(
    database,
    page.flatMap(({ rulesHash }) => rulesHash ?? []),
  );
  const grants = readEach(
    page,
    "grant",
    ({ id, ownerId: owner, threadId: ofThread, tool, args, pattern, rulesHash, createdAt, expiresAt, thread }) => ({
      id,
      ...(ownerId === undefined ? {} : { ownerId: owner, ownerName: thread.owner.name }),
      threadId: ofThread,
      threadTitle: thread.title,
      agentId: thread.agentId,
      tool,
      args: z.record(z.string(), z.unknown()).parse(JSON.parse(args)),
      ...(pattern === null ? {} : { pattern }),
      ...(rulesHash === null || rules.has(rulesHash) ? {} : { suspended: true as const }),
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }),
  );
  return { grants, nextCursor };
}

/** The current rules of the agents that asked, to compare with those the grants were given under. */
async function currentRules(database: Database, given: readonly string[]): Promise<ReadonlySet<string>> {
  const agentIds = new Set(given.map((hash) => hash.slice(0, hash.lastIndexOf(" "))));
  const found = await Promise.all(
    [...agentIds].map(async (agentId) => {
      const version = await loadCurrentVersion(database, agentId, EVERY_AGENT).catch(() => null);
      return version === null ? [] : [`${agentId} ${rulesHashOf(version.config)}`];
    }),
  );
  return new Set(found.flat());
}

/**
 * Revokes a grant: the next such call asks again. An administrator can revoke anybody's grant; for others, another
 * person's grant is `not_found`, like an unknown or revoked one.
 */
export async function revokeGrant(services: Services, grantId: string, viewer: GrantViewer): Promise<void> {
  const owner = hasAdminScope(viewer) ? {} : { ownerId: viewer.id };
  const where = { id: grantId, revokedAt: null, ...owner, thread: homeInReach(viewer) };
  const known = await services.database.grant.findFirst({
    where,
    select: { ownerId: true, tool: true, pattern: true, expiresAt: true },
  });
  if (!known) throw noSuchGrant();
  const { ownerId, tool, pattern, expiresAt } = known;
  const before = { ownerId, tool, ...(pattern === null ? {} : { pattern }), expiresAt: expiresAt.toISOString() };
  try {
    await services.database.$transaction([
      services.database.grant.update({ where, data: { revokedAt: new Date() }, select: { id: true } }),
      auditQuery(services, {
        actorId: viewer.id,
        action: "grant.revoked",
        target: `grant:${grantId}`,
        before,
      }),
    ]);
  } catch (error) {
    if (isNotFound(error)) throw noSuchGrant();
    throw error;
  }
}

function noSuchGrant(): AppError {
  return new AppError("not_found", "There is no such grant.");
}
