import { z } from "zod";
import {
  canonicalArgs,
  foldInterrupts,
  type RefusedCall,
  type RunInterrupts,
  type ToolGrant,
} from "@/lib/agent/interrupts";
import { approvalTtlMs, permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { RunInput, type TriggerRules } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { selectGrants, selectRefusals } from "@/lib/server/platform/db/queries/asks";
import { rulesHashOf } from "./grants";

interface AskingRun {
  readonly id: string;
  readonly rootRunId: string | null;
  readonly threadId: string;
  readonly canAsk: boolean;
  readonly config: AgentConfig;
  readonly ownerId: string;
  readonly agentId: string;
  readonly origin: string;
  /** JSON of its RunInput. */
  readonly input: string;
  readonly trigger?: TriggerRules | undefined;
}

/**
 * What a segment knows about people's decisions: those in the run's events, the grants in force for its thread, and how
 * long asks stay open. A subagent has the grants of the thread that people see, and any that earlier versions gave to
 * its own thread; calls refused to its parent or to another subagent of the same turn are refused to it too.
 */
export async function loadInterrupts(
  database: Database,
  run: AskingRun,
  events: readonly StoredRunEvent[],
): Promise<RunInterrupts> {
  const refused = [...deniedByTrigger(run), ...(await refusedInTree(database, run))];
  const grants = [
    ...allowedByTrigger(run),
    ...grantedTo(run, inForce(await selectGrants(database, run.threadId, run.ownerId), run.config)),
  ];
  return foldInterrupts(
    events.map(({ event }) => event),
    { canAsk: run.canAsk, grants, expiresAfterMs: approvalTtlMs(permissionSettings(run.config)), refused },
  );
}

function allowedByTrigger({ trigger }: AskingRun): ToolGrant[] {
  return (trigger?.allow ?? []).map(({ tool, args }) => ({
    id: trigger?.id ?? "",
    tool,
    args: canonicalArgs(args),
    isOfTrigger: true,
  }));
}

/** Calls that the trigger's owner refused in advance. */
function deniedByTrigger({ trigger, ownerId }: AskingRun): RefusedCall[] {
  return (trigger?.deny ?? []).map(({ tool, args }) => ({
    tool,
    args,
    decision: { kind: "approval", toolCallId: "", decision: "deny", by: ownerId, reason: DENIED_BEFORE },
  }));
}

const DENIED_BEFORE = "they have decided beforehand that this call is not made here";

/** Omits grants given under other rules than the agent's current ones: those are suspended. */
export function inForce<Grant extends { readonly rulesHash: string | null }>(
  grants: readonly Grant[],
  config: AgentConfig,
): Grant[] {
  if (grants.length === 0) return [];
  const rules = rulesHashOf(config);
  return grants.filter(({ rulesHash }) => rulesHash === null || rulesHash.endsWith(` ${rules}`));
}

/**
 * A grant belongs to its agent: it applies neither to another agent that answers in the thread nor to one that works
 * there on the agent's behalf. An agent shares the grants of its subagents, and a subagent those of the agents above
 * it, up to the one that was delegated to.
 */
function grantedTo<Grant extends { readonly rulesHash: string | null }>(run: AskingRun, grants: Grant[]): Grant[] {
  if (grants.length === 0) return grants;
  const { ancestors = [] } = RunInput.parse(JSON.parse(run.input));
  const last = ancestors.findLastIndex(({ isDelegated }) => isDelegated);
  const above = run.origin === "subagent" ? ancestors.slice(Math.max(last, 0)) : [];
  const below = run.config.subagents.filter((entry) => typeof entry === "string");
  const agents = new Set([run.agentId, ...above.map(({ agentId }) => agentId), ...below]);
  return grants.filter(({ rulesHash }) => rulesHash === null || agents.has(rulesHash.split(" ")[0] ?? ""));
}

const Args = z.record(z.string(), z.unknown());

/** Calls that people refused in the tree's other runs, or did not decide on in time. */
async function refusedInTree(database: Database, { id, rootRunId }: AskingRun): Promise<RefusedCall[]> {
  const rows = await selectRefusals(database, id, rootRunId ?? id);
  return rows.map(({ toolCallId, tool, args, status, note, decidedBy }) => ({
    tool,
    args: Args.parse(JSON.parse(args)),
    decision: {
      kind: "approval",
      toolCallId,
      decision: status === "expired" ? "expired" : "deny",
      by: decidedBy ?? "nobody",
      ...(note === null ? {} : { reason: note }),
    },
  }));
}
