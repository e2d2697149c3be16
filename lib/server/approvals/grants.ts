import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { AppError } from "@/lib/schema/app-error";
import type { GrantList } from "@/lib/schema/interrupt";
import { writeAudit } from "../audit/write-audit";
import { createId } from "../create-id";
import { database } from "../db";

const GRANT_DAYS = 30;

/** The columns of a grant for exactly this call; an earlier one of the same call is renewed by them. */
export function grantColumns(
  run: { readonly threadId: string; readonly ownerId: string },
  call: { readonly tool: string; readonly args: Record<string, unknown> },
  now: Date,
) {
  const args = canonicalArgs(call.args);
  return {
    id: createId("grt"),
    threadId: run.threadId,
    ownerId: run.ownerId,
    tool: call.tool,
    args,
    argsHash: createHash("sha256").update(args).digest("hex"),
    createdBy: run.ownerId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + GRANT_DAYS * 86_400_000),
  };
}

/** The viewer's grants that are in force, the newest first. */
export async function listGrants(ownerId: string): Promise<GrantList> {
  const rows = await database().grant.findMany({
    where: { ownerId, revokedAt: null, expiresAt: { gt: new Date() }, thread: { deletedAt: null } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    include: { thread: { select: { title: true, agentId: true } } },
    take: 500,
  });
  const grants = rows.map(({ id, threadId, tool, args, createdAt, expiresAt, thread }) => ({
    id,
    threadId,
    threadTitle: thread.title,
    agentId: thread.agentId,
    tool,
    args: z.record(z.string(), z.unknown()).parse(JSON.parse(args)),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
  return { grants };
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
