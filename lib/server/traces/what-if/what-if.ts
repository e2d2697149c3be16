import "server-only";
import { judgeOfPast } from "@/lib/permissions/judge-again";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type PermissionRule, type PermissionsConfig, ruleText } from "@/lib/schema/agents/agent-config-rules";
import { AppError } from "@/lib/schema/app-error";
import type { BudgetWhatIf, CallWhatIf, WhatIfQuery } from "@/lib/schema/permissions/what-if";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { JudgedCall } from "@/lib/server/platform/db/queries/calls/judged-calls";
import type { Services } from "@/lib/server/platform/services";
import { whatIfBudget } from "./budget-what-if";
import { tallyCalls } from "./call-tally";
import { grantJudge } from "./grant-judge";
import { eachJudgedCall, type Judge } from "./judge-calls";

const DAY_MS = 86_400_000;

/**
 * What a change of rules, a grant or a budget would have done over the last days, from the recorded calls and costs.
 * Rules and budgets are for administrators; a grant everybody may try on their own calls. Throws `forbidden`, and
 * `not_found` for an agent that the viewer does not reach.
 */
export async function whatIf(
  services: Services,
  viewer: Viewer,
  query: WhatIfQuery,
  now = new Date(),
): Promise<CallWhatIf | BudgetWhatIf> {
  const isAdmin = hasAdminScope(viewer);
  if (!isAdmin && query.grant === undefined) {
    throw new AppError("forbidden", "Only administrators may try rules and budgets on the calls of everybody.");
  }
  const since = new Date(now.getTime() - query.days * DAY_MS);
  if (query.budget !== undefined) return whatIfBudget(services.database, query.budget, { since, reach: viewer.reach });
  const agentId = query.agentId ?? "";
  const { config } = await loadCurrentVersion(services.database, agentId, accessOf(viewer));
  const published = permissionSettings(config);
  const changed = changedSettings(config, query);
  const { judge, tool } = query.grant ? grantJudge(query.grant) : { judge: rulesJudge(changed), tool: undefined };
  const tally = tallyCalls(services, judge);
  const ownerId = isAdmin ? undefined : viewer.id;
  const scope = { agentId, since, ownerId, reach: viewer.reach, tool };
  const isCut = await eachJudgedCall(services.database, scope, tally.add);
  return { ...(await tally.report()), isCut, wildcards: query.grant ? [] : newWildcards(published, changed) };
}

/** What is left out of `rules` stays as published. */
function changedSettings(config: AgentConfig, { rules, mode }: Pick<WhatIfQuery, "rules" | "mode">): PermissionsConfig {
  const given = Object.fromEntries(Object.entries(rules ?? {}).filter(([, value]) => value !== undefined));
  const settings = permissionSettings({ ...config, permissions: { ...config.permissions, ...given } });
  return mode === undefined ? settings : { ...settings, mode };
}

/** What a grant allowed stays allowed unless a rule denies it: the person would have given it then, too. */
export function rulesJudge(permissions: PermissionsConfig): Judge {
  const judge = judgeOfPast(permissions);
  return (call) => {
    const { args, subject } = call;
    if (args === null || subject === null) return null;
    const { verdict, explanation } = judge({ ...call, args, subject });
    if (isGranted(call) && verdict !== "deny") return { verdict: "allow", rule: "A grant allows it." };
    return { verdict, rule: explanation };
  };
}

/** An earlier decision allowed it: nobody was asked about this call. */
function isGranted({ verdictBy, decision }: JudgedCall): boolean {
  return verdictBy === "grant" && decision === null;
}

/** Allow rules that the published ones lack, and that match any text after an operator of the shell. */
function newWildcards(before: PermissionsConfig, { allow }: PermissionsConfig): string[] {
  const known = new Set(before.allow.map((rule) => JSON.stringify(rule)));
  const isWild = (rule: PermissionRule) => typeof rule !== "string" && rule.args.command?.includes("*") === true;
  return allow.filter((rule) => !known.has(JSON.stringify(rule)) && isWild(rule)).map(ruleText);
}
