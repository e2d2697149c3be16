import { createHash } from "node:crypto";
import { canonicalArgs } from "@/lib/agent/interrupts";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { rootThreadId } from "@/lib/server/engine/children/run-tree";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";

const DAY_MS = 86_400_000;

/** The scope of a grant: the thread that people see, even when one of its subagents asked; its owner; its duration. */
export interface GrantTerms {
  readonly threadId: string;
  readonly ownerId: string;
  readonly ttlDays: number;
  /** Hash of the rules of the agent that asked. */
  readonly rulesHash: string;
}

export async function grantTerms(db: Database, run: ClaimedRun): Promise<GrantTerms> {
  const { config } = await loadAgentVersion(db, run.agentVersionId);
  const { grant_ttl_days: ttlDays } = permissionSettings(config);
  const rulesHash = `${run.agentId} ${rulesHashOf(config)}`;
  return { threadId: await rootThreadId(db, run), ownerId: run.ownerId, ttlDays, rulesHash };
}

/**
 * Hash of an agent's rules and mode. A grant applies under the rules it was given under; under any others it is
 * suspended.
 */
export function rulesHashOf(config: AgentConfig): string {
  const { enabled, mode, deny, ask, allow } = permissionSettings(config);
  return createHash("sha256").update(canonicalArgs({ enabled, mode, deny, ask, allow })).digest("hex");
}

/**
 * The columns of a grant for exactly this call, or for commands that begin with `pattern`.
 */
export function grantColumns(
  { threadId, ownerId, ttlDays, rulesHash, now }: GrantTerms & { readonly now: Date },
  call: { readonly tool: string; readonly args: Record<string, unknown>; readonly pattern?: string },
) {
  const args = canonicalArgs(call.args);
  return {
    id: createId("grt"),
    threadId,
    ownerId,
    tool: call.tool,
    args,
    argsHash: createHash("sha256")
      .update(call.pattern === undefined ? args : `pattern ${call.pattern}`)
      .digest("hex"),
    pattern: call.pattern ?? null,
    rulesHash,
    createdBy: ownerId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + ttlDays * DAY_MS),
  };
}
