import "server-only";
import type { PermissionRule } from "@/lib/schema/agents/agent-config-rules";
import type { CallWhatIf, ChangedCall, WhatIfVerdict, WhatIfVerdicts } from "@/lib/schema/permissions/what-if";
import { THEN } from "@/lib/schema/permissions/what-if";
import type { JudgedCall } from "@/lib/server/platform/db/queries/calls/judged-calls";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { userNames } from "@/lib/server/users/user-names";
import { type Judge, verdictOf } from "./judge-calls";

const MOST_CHANGED = 200;
const MOST_SAVED = 10;

const VERDICTS: Readonly<Record<"allow" | "ask" | "deny", WhatIfVerdict>> = {
  allow: "allowed",
  ask: "asked",
  deny: "denied",
};

const NEWLY = { allowed: "newlyAllowed", asked: "newlyAsked", denied: "newlyDenied" } as const;
/** Decisions by which a call ran. */
const ALLOWED: ReadonlySet<string> = new Set(["allow", "edit"]);

interface Changed {
  readonly call: JudgedCall;
  readonly was: WhatIfVerdict;
  readonly would: WhatIfVerdict;
  readonly rule: string;
}

/** Counts what became of calls against what would have, and keeps the newest that differ. */
export function tallyCalls(services: Services, judge: Judge) {
  const now: WhatIfVerdicts = { allowed: 0, asked: 0, denied: 0 };
  const later: WhatIfVerdicts = { allowed: 0, asked: 0, denied: 0 };
  const counts = {
    calls: 0,
    unknown: 0,
    promptsSaved: 0,
    newlyAsked: 0,
    newlyAllowed: 0,
    newlyDenied: 0,
    deniedByPeople: 0,
  };
  const risky: Changed[] = [];
  const others: Changed[] = [];
  const saved = new Map<string, { tool: string; gist: string; calls: number }>();

  const count = (changed: Changed) => {
    const { call, was, would } = changed;
    counts[NEWLY[would]] += 1;
    if (was === "asked") countSaved(call);
    if (isRisky(changed)) counts.deniedByPeople += 1;
    const list = isRisky(changed) ? risky : others;
    if (list.length < MOST_CHANGED) list.push(changed);
  };
  const countSaved = ({ tool, gist, decision }: JudgedCall) => {
    counts.promptsSaved += 1;
    if (decision === null || !ALLOWED.has(decision)) return;
    const key = JSON.stringify([tool, gist]);
    saved.set(key, { tool, gist, calls: (saved.get(key)?.calls ?? 0) + 1 });
  };

  return {
    add(call: JudgedCall): void {
      const before = verdictOf(call);
      const found = before && judge(call);
      if (before === null || found === null) {
        counts.unknown += 1;
        return;
      }
      const [was, then] = [VERDICTS[before], VERDICTS[found.verdict]];
      counts.calls += 1;
      now[was] += 1;
      later[then] += 1;
      if (then !== was) count({ call, was, would: then, rule: found.rule });
    },
    async report(): Promise<Omit<CallWhatIf, "isCut" | "wildcards">> {
      const listed = [...risky, ...others].slice(0, MOST_CHANGED);
      const names = await userNames(
        services.database,
        listed.map(({ call }) => call.decidedBy),
      );
      const most = [...saved.values()].sort((a, b) => b.calls - a.calls).slice(0, MOST_SAVED);
      return {
        ...counts,
        now,
        [THEN]: later,
        changed: listed.map((one) => toChanged(one, names)),
        saved: most.map(({ gist, ...rest }) => ({ ...rest, gist: maskText(gist) })),
      };
    },
  };
}

function toChanged({ call, was, would, rule }: Changed, names: ReadonlyMap<string, string>): ChangedCall {
  const { runId, traceId, spanId, toolCallId, tool, gist, startedAt, decision, decidedBy, decisionReason } = call;
  return {
    ...{ runId, traceId, spanId, toolCallId, tool, decision, was, would },
    gist: maskText(gist),
    rule: maskText(rule),
    startedAt: startedAt.toISOString(),
    decidedBy: names.get(decidedBy ?? "") ?? null,
    reason: decisionReason === null ? null : maskText(decisionReason),
    askRule: isRisky({ call, would }) ? askRuleOf(call) : null,
  };
}

function isRisky({ call, would }: Pick<Changed, "call" | "would">): boolean {
  return would === "allowed" && call.decision === "deny";
}

/** By what tells the call from others; null where that is masked. */
function askRuleOf({ tool, args, pathArgument }: JudgedCall): PermissionRule | null {
  const known = JSON.parse(args ?? "{}") as Readonly<Record<string, unknown>>;
  const name = pathArgument ?? "command";
  const value = known[name];
  if (typeof value !== "string" || value === "") return tool;
  return maskText(value) === value ? { tool, args: { [name]: value } } : null;
}
