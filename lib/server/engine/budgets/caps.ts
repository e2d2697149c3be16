import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type BudgetConfig, isLimited } from "@/lib/schema/agents/agent-config-budget";
import type { BudgetAsk, BudgetPeriod, BudgetScope } from "@/lib/schema/runs/budget-ask";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { RunInput, TriggerRules } from "@/lib/server/engine/run-input";
import type { BudgetRow } from "@/lib/server/platform/db/queries/usage/budgets";
import { localDay } from "@/lib/server/platform/time/local-day";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";

/** What happens when a call does not fit. */
type OnReach = "warn" | "wait" | "stop" | "final_answer";

/** One limit that applies to a run's calls, and the account that counts them. */
export interface Cap extends Pick<BudgetAsk, "account" | "budgetId" | "scopeId" | "isShare" | "raise"> {
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  readonly usd: number | null;
  readonly tokens: number | null;
  readonly onReach: OnReach;
}

/** A run and its ancestors, root first. */
export interface RunChain {
  readonly members: readonly ChainMember[];
  readonly ownerId: string;
  readonly apiKeyId: string | null;
  readonly projectId: string | null;
  /** The board that its runs work for. */
  readonly boardId?: string | undefined;
  /** The trigger that started the first of them. */
  readonly trigger?: TriggerRules | undefined;
  /** Whether a person can be asked. */
  readonly canAsk?: boolean;
}

interface ChainMember {
  readonly runId: string;
  readonly agentId: string;
  readonly threadId: string;
  /** The agent's limits from its own config. */
  readonly own?: BudgetConfig | undefined;
}

/** A run with its ancestors; an inline subagent's config contains the limits of the agent around it. */
export function chainOf(
  run: Pick<ClaimedRun, "id" | "agentId" | "threadId" | "isInline" | "ownerId" | "apiKeyId" | "projectId">,
  config: Pick<AgentConfig, "budget">,
  input: Pick<RunInput, "ancestors" | "trigger" | "canAsk" | "board">,
): RunChain {
  const { id: runId, agentId, threadId, ownerId, apiKeyId, projectId } = run;
  const { trigger, canAsk = true } = input;
  const triggered = trigger === undefined ? {} : { trigger, canAsk };
  const own = !run.isInline && isLimited(config.budget) ? config.budget : undefined;
  const members = [...(input.ancestors ?? []), { runId, agentId, threadId, own }];
  return { members, ownerId, apiKeyId, projectId, boardId: input.board?.id, ...triggered };
}

/** Every limit that applies to the last run of the chain at that time, including those of its ancestors. */
export function capsOf(chain: RunChain, rows: readonly BudgetRow[], now: Date): Cap[] {
  const all = [
    ...rows.flatMap((row) => rowCaps(row, chain, now)),
    ...chain.members.flatMap(ownCaps(chain, now)),
    ...triggerCaps(chain, now),
  ];
  return [...new Map(all.map((cap) => [cap.account, cap])).values()];
}

const ADMINS: Cap["raise"] = { by: "admins", maxUsd: null };
const OWNER: Cap["raise"] = { by: "owner", maxUsd: null };

function rowCaps(row: BudgetRow, chain: RunChain, now: Date): Cap[] {
  const { id: budgetId, usd, tokens } = row;
  const [scope, period, onReach] = [row.scope as BudgetScope, row.period as BudgetPeriod, row.onReach as OnReach];
  const scopeId = scope === "each_user" ? chain.ownerId : row.scopeId;
  const base = { budgetId, scope, scopeId, period, usd, tokens, onReach, raise: scope === "board" ? OWNER : ADMINS };
  const facts = { threadId: rootOf(chain).threadId, now, timeZone: zoneOfBudget({ scope, scopeId }) };
  const counter = scope === "each_user" ? accountsOfPerson(budgetId, chain.ownerId) : budgetId;
  return runsUnder(row, chain).map((runId) => ({
    ...base,
    account: `${counter}:${periodKey(period, { ...facts, runId })}`,
  }));
}

/** The runs that a per-run budget counts separately; for other periods any one of them. */
function runsUnder({ scope, scopeId, period, members: people }: BudgetRow, chain: RunChain): string[] {
  const { members, ownerId, apiKeyId, projectId, boardId } = chain;
  const root = [rootOf(chain).runId];
  if (scope === "installation" || scope === "each_user") return root;
  if (scope === "group") return people?.has(ownerId) ? root : [];
  if (scope === "user") return scopeId === ownerId ? root : [];
  if (scope === "key") return scopeId === apiKeyId ? root : [];
  if (scope === "board") return scopeId === boardId ? root : [];
  if (scope === "project") return scopeId === projectId ? root : [];
  const ofAgent = members.filter(({ agentId }) => agentId === scopeId).map(({ runId }) => runId);
  return period === "run" ? ofAgent : ofAgent.slice(0, 1);
}

function rootOf({ members }: RunChain): ChainMember {
  const [root] = members;
  if (!root) throw new Error("A chain has at least the run itself.");
  return root;
}

function ownCaps(chain: RunChain, now: Date) {
  return ({ runId, agentId, own }: ChainMember, index: number): Cap[] => {
    if (!own) return [];
    const { run_usd, run_tokens, thread_usd, day_usd, month_usd, on_reach: onReach, raise_usd: maxUsd } = own;
    const { threadId } = rootOf(chain);
    const base = { budgetId: null, scope: "agent", scopeId: agentId, onReach, raise: { by: "owner", maxUsd } } as const;
    const limits = { run: run_usd, thread: thread_usd, day: day_usd, month: month_usd };
    const caps = (["run", "thread", "day", "month"] as const).flatMap((period): Cap[] => {
      const [usd, tokens] = [limits[period], period === "run" ? run_tokens : null];
      if (usd === null && tokens === null) return [];
      return [
        { ...base, period, usd, tokens, account: `agent:${agentId}:${periodKey(period, { runId, threadId, now })}` },
      ];
    });
    const isAbove = index < chain.members.length - 1;
    if (!isAbove || (run_usd === null && run_tokens === null)) return caps;
    const shareOf = (limit: number | null) => (limit === null ? null : limit * own.children_share);
    const shared = { usd: shareOf(run_usd), tokens: shareOf(run_tokens), isShare: true };
    return [...caps, { ...base, ...shared, period: "run", account: `share:${runId}` }];
  };
}

/** The limit on all runs of one trigger; their owner may raise it. */
function triggerCaps(chain: RunChain, now: Date): Cap[] {
  const { trigger, canAsk = true } = chain;
  if (trigger === undefined) return [];
  const { runId, threadId } = rootOf(chain);
  const limits = [
    { period: "run", usd: trigger.runUsd },
    { period: "day", usd: trigger.dayUsd },
  ] as const;
  return limits.flatMap(({ period, usd }): Cap[] => {
    if (usd === null) return [];
    const account = `${triggerAccount(trigger.id)}:${periodKey(period, { runId, threadId, now, timeZone: timeZoneOfUser(chain.ownerId) })}`;
    const raise = { by: "owner", maxUsd: null } as const;
    const onReach = canAsk ? "wait" : "stop";
    return [
      { account, budgetId: null, scope: "agent", scopeId: trigger.name, period, usd, tokens: null, onReach, raise },
    ];
  });
}

/** The account of a trigger's runs, without the period. */
function triggerAccount(triggerId: string): string {
  return `trigger:${triggerId}`;
}

interface PeriodContext {
  readonly runId: string;
  readonly threadId: string;
  readonly now: Date;
  /** Default: the server's. */
  readonly timeZone?: string | undefined;
}

/** What the accounts of one person begin with, in a budget that each person has. */
export function accountsOfPerson(budgetId: string, userId: string): string {
  return `${budgetId}:user:${userId}`;
}

/** A person's budget uses that person's days; all others use the server's. */
export function zoneOfBudget({ scope, scopeId }: { readonly scope: string; readonly scopeId: string | null }) {
  const isPersons = scope === "user" || scope === "each_user";
  return isPersons && scopeId !== null ? timeZoneOfUser(scopeId) : undefined;
}

/** Days and months follow the time zone. */
export function periodKey(period: BudgetPeriod, { runId, threadId, now, timeZone }: PeriodContext): string {
  if (period === "run") return `run:${runId}`;
  if (period === "thread") return `thread:${threadId}`;
  if (period === "total") return "total";
  const day = localDay(now, timeZone);
  return period === "day" ? `day:${day}` : `month:${day.slice(0, 7)}`;
}
