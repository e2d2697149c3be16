import { canonicalArgs, type ToolGrant } from "@/lib/agent/interrupts";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type PermissionRule, ruleText } from "@/lib/schema/agents/agent-config-rules";
import type { PermissionVerdict } from "@/lib/schema/agents/permission";
import { patternMatches } from "@/lib/schema/tools/command-pattern";
import type { ToolAnnotations } from "@/lib/schema/tools/tool";
import {
  isKnownRule,
  isWithoutArguments,
  type PermissionCall,
  type RuleSubject,
  ruleKeeps,
  ruleMatches,
  ruleNames,
} from "./permission-rules";

/** A tool as permissions see it. */
export interface PermissionSubject extends RuleSubject {
  readonly annotations: ToolAnnotations;
  /**
   * D-56. `never`: nobody is asked in any mode. `edit`: the mode `accept_edits` allows it. `ask`: a person is asked,
   * with permissions on or off, until a rule allows the call.
   */
  readonly approval?: "never" | "edit" | "ask";
  /** The reason this call asks, even if permissions are off or the mode allows everything: "others read it there". */
  readonly asksBecause?: string;
}

type Permissions = AgentConfig["permissions"];

const PLAN_MODE = "Plan mode: write operations not allowed";

/**
 * Finds the rule that decides a call, in the order of D-42: deny rules, decisions on exactly this call in this thread,
 * ask rules, allow rules, the mode. Pure. The call must be canonical: the tool's own name, argument names without
 * aliases.
 */
export function explainPermission(
  call: PermissionCall,
  subject: PermissionSubject,
  permissions: Permissions,
  grants: readonly ToolGrant[] = [],
): PermissionVerdict {
  if (!permissions.enabled && subject.approval !== "ask" && ownReason(call.tool, subject) === null) return OFF;
  const find = (rules: readonly PermissionRule[]) => rules.find((rule) => ruleKeeps(rule, call, subject));
  if (!permissions.enabled) return byItself(call, subject, permissions, grants);
  const denied = find(permissions.deny);
  if (denied !== undefined) return byRule("deny", denied, denialText(denied, call.tool));
  const granted = byGrant(call, grants);
  if (granted) return granted;
  const asked = find(permissions.ask);
  if (asked !== undefined) return byRule("ask", asked, `Rule: ask before ${ruleText(asked)}.`);
  const known = permissions.allow.filter((rule) => isKnownRule(rule, subject));
  const allowed = known.find((rule) => ruleMatches(rule, call, subject));
  if (allowed !== undefined) return byRule("allow", allowed, `Rule: allow ${ruleText(allowed)}.`);
  const found = byMode(call.tool, subject, permissions.mode);
  const reason = ownReason(call.tool, subject);
  return reason === null || found.verdict === "deny" ? found : reason;
}

const OFF: PermissionVerdict = { verdict: "allow", by: "off", explanation: "The agent's permissions are off." };

/** The reason this particular call asks, whatever the mode; null for most calls. */
function ownReason(tool: string, { asksBecause, unknownAddress }: PermissionSubject): PermissionVerdict | null {
  if (asksBecause !== undefined) {
    return { verdict: "ask", by: "tool", explanation: `${asksBecause}.` };
  }
  if (unknownAddress === undefined) return null;
  const explanation = `${tool} would send something to ${shortHost(unknownAddress)}. This address came neither from a person nor from a search of this run, and an address can carry data outside, so it asks.`;
  return { verdict: "ask", by: "address", explanation };
}

function shortHost(host: string): string {
  return host.length <= MAX_HOST_CHARS ? host : `…${host.slice(-MAX_HOST_CHARS)}`;
}

const MAX_HOST_CHARS = 80;

/** With permissions off, a tool with approval `ask` asks until a grant or a rule of the agent allows the call. */
function byItself(
  call: PermissionCall,
  subject: PermissionSubject,
  permissions: Permissions,
  grants: readonly ToolGrant[],
): PermissionVerdict {
  const granted = byGrant(call, grants);
  if (granted) return granted;
  const rules = permissions.allow.filter((rule) => isKnownRule(rule, subject));
  const allowed = rules.find((rule) => ruleMatches(rule, call, subject));
  if (allowed !== undefined) return byRule("allow", allowed, `Rule: allow ${ruleText(allowed)}.`);
  return ownReason(call.tool, subject) ?? { verdict: "ask", by: "tool", explanation: asksItself(call.tool) };
}

function coversCommand({ tool, pattern }: ToolGrant, call: PermissionCall): boolean {
  const { command } = call.args;
  return (
    Boolean(pattern) && tool === call.tool && typeof command === "string" && patternMatches(pattern ?? "", command)
  );
}

function asksItself(tool: string): string {
  return `${tool} is destructive or does not say what it does, so it asks.`;
}

function byGrant(call: PermissionCall, grants: readonly ToolGrant[]): PermissionVerdict | null {
  if (grants.length === 0) return null;
  const args = canonicalArgs(call.args);
  const exact = ({ tool, args: allowed, pattern }: ToolGrant) => !pattern && tool === call.tool && allowed === args;
  const grant = grants.find(exact) ?? grants.find((known) => coversCommand(known, call));
  if (!grant) return null;
  const { id: grantId, pattern } = grant;
  if (!pattern) {
    const where = grant.isOfTrigger ? "for what started this run" : "in this thread";
    const explanation = `A person has allowed exactly this call ${where}.`;
    return { verdict: "allow", by: "grant", grantId, explanation };
  }
  const explanation = `A person has allowed commands that begin with "${pattern}" in this thread.`;
  return { verdict: "allow", by: "grant", grantId, pattern, explanation };
}

/**
 * Whether the model is offered the tool (D-27): not if a deny rule without arguments names it, nor in plan mode if it
 * makes changes and no rule or grant could allow any of its calls.
 */
export function isOffered(
  tool: string,
  subject: PermissionSubject,
  permissions: Permissions,
  grants: readonly ToolGrant[] = [],
): boolean {
  if (!permissions.enabled) return true;
  const names = (rule: PermissionRule) => ruleNames(rule, tool, subject.aliases);
  if (permissions.deny.some((rule) => isWithoutArguments(rule) && names(rule))) return false;
  if (byMode(tool, subject, permissions.mode).verdict !== "deny") return true;
  return [...permissions.ask, ...permissions.allow].some(names) || grants.some((grant) => grant.tool === tool);
}

function byMode(tool: string, subject: PermissionSubject, mode: Permissions["mode"]): PermissionVerdict {
  const decide = (verdict: "allow" | "ask", explanation: string) => ({
    verdict,
    by: "mode" as const,
    mode,
    explanation,
  });
  if (mode === "bypass") return decide("allow", "The mode bypass allows everything.");
  if (subject.approval === "ask" && mode !== "plan")
    return { verdict: "ask", by: "tool", explanation: asksItself(tool) };
  if (subject.approval === "never") return decide("allow", `${tool} needs no approval.`);
  const { readOnly, openWorld } = subject.annotations;
  if (readOnly && subject.approval !== "ask" && (mode === "plan" || !openWorld))
    return decide("allow", `${tool} only reads.`);
  if (mode === "plan") return { verdict: "deny", by: "mode", mode, explanation: PLAN_MODE };
  if (mode === "accept_edits" && subject.approval === "edit") {
    return decide("allow", `The mode ${mode} allows ${tool}.`);
  }
  const why = readOnly && openWorld ? ", which sends its arguments outside" : "";
  return decide("ask", `No rule allows ${tool}${why}, so you are asked.`);
}

function byRule(verdict: "deny" | "ask" | "allow", rule: PermissionRule, explanation: string): PermissionVerdict {
  return { verdict, by: verdict, rule, explanation };
}

/** The text that a deny rule sends to the model (S2). */
function denialText(rule: PermissionRule, tool: string): string {
  const own = typeof rule === "string" ? undefined : rule.message;
  return own ?? `The rules of this agent do not allow this ${tool} call. Find another way, or tell the user.`;
}
