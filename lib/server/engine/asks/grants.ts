import { createHash } from "node:crypto";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { rootThreadId } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";

const DAY_MS = 86_400_000;

/** What a grant covers: the thread that people see, even when one of its subagents asked; its owner; its duration. */
export interface GrantTerms {
  readonly threadId: string;
  readonly ownerId: string;
  readonly ttlDays: number;
}

export async function grantTerms(db: Database, run: ClaimedRun): Promise<GrantTerms> {
  const { config } = await loadAgentVersion(db, run.agentVersionId);
  const { grant_ttl_days: ttlDays } = permissionSettings(config);
  return { threadId: await rootThreadId(db, run), ownerId: run.ownerId, ttlDays };
}

/** The columns of a grant for exactly this call; an earlier one for the same call is renewed by them. */
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
