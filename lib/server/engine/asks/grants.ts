import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import { AppError } from "@/lib/schema/app-error";
import type { GrantList, GrantQuery } from "@/lib/schema/interrupt";
import { writeAudit } from "@/lib/server/audit/write-audit";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { versionOfRun } from "@/lib/server/engine/children/child-version";
import type { ClaimedRun } from "@/lib/server/engine/queue";
import { createId } from "@/lib/server/platform/create-id";
import { type Database, database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import { rootThreadId } from "@/lib/server/wiring/subagent-tools";

const DAY_MS = 86_400_000;

/** What a grant holds for: the thread that people see, also when a subagent of it asked; whose it is; how long. */
export interface GrantTerms {
  readonly threadId: string;
  readonly ownerId: string;
  readonly ttlDays: number;
}

export async function grantTerms(db: Database, run: ClaimedRun): Promise<GrantTerms> {
  const { config } = versionOfRun(run, await loadAgentVersion(db, run.agentVersionId));
  const { grant_ttl_days: ttlDays } = permissionSettings(config);
  return { threadId: await rootThreadId(db, run), ownerId: run.ownerId, ttlDays };
}

/** The columns of a grant for exactly this call; an earlier one of the same call is renewed by them. */
export function grantColumns(
  { threadId, ownerId, ttlDays, now }: GrantTerms & { readonly now: Date },
  call: { readonly tool: string; readonly args: Record<string, unknown> },
) {
  const args = canonicalArgs(call.args);
  return {
    id: createId("grt"),
    threadId,
    ownerId,
    tool: call.tool,
    args,
    argsHash: createHash("sha256").update(args).digest("hex"),
    createdBy: ownerId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + ttlDays * DAY_MS),
  };
}

/** The viewer's grants that are in force, the newest first. */
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
  const grants = page.map(({ id, threadId: ofThread, tool, args, createdAt, expiresAt, thread }) => ({
    id,
    threadId: ofThread,
    threadTitle: thread.title,
    agentId: thread.agentId,
    tool,
    args: z.record(z.string(), z.unknown()).parse(JSON.parse(args)),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
  return { grants, nextCursor };
}

/** Takes a grant back: the next such call asks again. Somebody else's, an unknown and a revoked one are `not_found`. */
export async function revokeGrant(grantId: string, ownerId: string): Promise<void> {
  const { count } = await database().grant.updateMany({
    where: { id: grantId, ownerId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  if (count === 0) throw new AppError("not_found", "There is no such grant.");
  await writeAudit({ actorId: ownerId, action: "grant.revoked", target: `grant:${grantId}` });
}
