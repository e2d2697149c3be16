import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { GrantList, GrantQuery } from "@/lib/schema/runs/interrupt";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { rulesHashOf } from "@/lib/server/engine/asks/grants";
import { database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";

/** The viewer's grants in force, newest first. */
export async function listGrants(ownerId: string, { threadId, limit, cursor }: GrantQuery): Promise<GrantList> {
  const rows = await database().grant.findMany({
    where: {
      ownerId,
      revokedAt: null,
      expiresAt: { gt: new Date() },
      thread: { deletedAt: null },
      ...(threadId === undefined ? {} : { threadId }),
      ...timeCursors.behind(cursor, "createdAt", "descending"),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: { thread: { select: { title: true, agentId: true } } },
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  const rules = await currentRules(page.flatMap(({ rulesHash }) => rulesHash ?? []));
  const grants = page.map(
    ({ id, threadId: ofThread, tool, args, pattern, rulesHash, createdAt, expiresAt, thread }) => ({
      id,
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

/** Of the agents that asked: what the grants were given under, as far as it is still so. */
async function currentRules(given: readonly string[]): Promise<ReadonlySet<string>> {
  const agentIds = new Set(given.map((hash) => hash.slice(0, hash.lastIndexOf(" "))));
  const found = await Promise.all(
    [...agentIds].map(async (agentId) => {
      const version = await loadCurrentVersion(database(), agentId, EVERY_AGENT).catch(() => null);
      return version === null ? [] : [`${agentId} ${rulesHashOf(version.config)}`];
    }),
  );
  return new Set(found.flat());
}

/** Revokes a grant: the next such call asks again. Somebody else's, an unknown and a revoked one are `not_found`. */
export async function revokeGrant(grantId: string, ownerId: string): Promise<void> {
  const known = await database().grant.findFirst({
    where: { id: grantId, ownerId, revokedAt: null },
    select: { tool: true, pattern: true, expiresAt: true },
  });
  const { count } = await database().grant.updateMany({
    where: { id: grantId, ownerId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  if (count === 0 || !known) throw new AppError("not_found", "There is no such grant.");
  const { tool, pattern, expiresAt } = known;
  const before = { tool, ...(pattern === null ? {} : { pattern }), expiresAt: expiresAt.toISOString() };
  await writeAudit({ actorId: ownerId, action: "grant.revoked", target: `grant:${grantId}`, before });
}
