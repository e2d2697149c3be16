import "server-only";
import { createHash } from "node:crypto";
import { z } from "zod";
import { permissionSettings } from "@/lib/permissions/permission-settings";
import type { PermissionRule, PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { AppError } from "@/lib/schema/app-error";
import type { Proposal, ProposalBody, ProposalList } from "@/lib/schema/permissions/proposals";
import type { Viewer } from "@/lib/schema/users/user";
import { getDraft, saveDraft } from "@/lib/server/agents/drafts/agent-draft";
import { writeAudit } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { JudgedCall } from "@/lib/server/platform/db/queries/calls/judged-calls";
import { maskText } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { flushSpans } from "@/lib/server/traces/recorder";
import { eachJudgedCall, verdictOf } from "@/lib/server/traces/what-if/judge-calls";
import { rulesJudge } from "@/lib/server/traces/what-if/what-if";
import { userNames } from "@/lib/server/users/user-names";
import { type ProposedRule, proposeRules } from "./propose-rules";

const DAY_MS = 86_400_000;
const DAYS = 90;
const EXAMPLES = 3;

/**
 * Rules for calls of the agent that people allowed five times or more in 90 days and never denied, without those that
 * were dismissed, that the draft or the published version has, that would not save a prompt, or that masking would
 * change. Throws `not_found` for an agent that the viewer does not reach.
 */
export async function listProposals(
  services: Services,
  viewer: Viewer,
  agentId: string,
  now = new Date(),
): Promise<ProposalList> {
  const { database } = services;
  const { config } = await loadCurrentVersion(database, agentId, accessOf(viewer));
  // What the viewer has just decided may still wait to be stored.
  await flushSpans();
  const decided = await decidedCalls(database, viewer, {
    agentId,
    since: new Date(now.getTime() - DAYS * DAY_MS),
  });
  const hidden = await hiddenIds(services, agentId);
  const settings = permissionSettings(config);
  const proposed = proposeRules(decided)
    .map((one) => ({ ...one, id: proposalId(agentId, one.rule), whatIf: tried(one.rule, { settings, decided }) }))
    .filter(({ id, pattern, whatIf }) => !hidden.has(id) && maskText(pattern) === pattern && isOfUse(whatIf));
  const names = await userNames(
    database,
    proposed.flatMap(({ calls }) => calls.map(({ decidedBy }) => decidedBy)),
  );
  return { proposals: proposed.map((one) => toProposal(one, names)) };
}

/**
 * Adds a proposed rule to the agent's draft, or hides the proposal for good; both are audited. Throws `not_found` for
 * what is not proposed, and `conflict` where the draft can't be read or somebody else saves it at the same time.
 */
export async function decideProposal(
  services: Services,
  viewer: Viewer,
  id: string,
  { state }: ProposalBody,
): Promise<Proposal> {
  const agentId = agentOf(id);
  const { proposals } = agentId === null ? { proposals: [] } : await listProposals(services, viewer, agentId);
  const proposal = proposals.find((one) => one.id === id);
  if (agentId === null || proposal === undefined) throw notProposed();
  const { rule } = proposal;
  if (state === "accepted") await addToDraft(services, viewer, agentId, rule);
  else {
    const kept = { agentId, rule: JSON.stringify(rule), dismissedById: viewer.id };
    await services.database.dismissedProposal.upsert({ where: { id }, create: { id, ...kept }, update: {} });
  }
  await writeAudit(services, {
    actorId: viewer.id,
    action: state === "accepted" ? "agent.proposal_accepted" : "agent.proposal_dismissed",
    target: `agent:${agentId}`,
    details: { rule },
  });
  return proposal;
}

function notProposed(): AppError {
  return new AppError("not_found", "This rule is not proposed, or no longer.");
}

interface Wanted {
  readonly agentId: string;
  readonly since: Date;
}

/** `call` with its arguments read. */
type DecidedCall = Omit<JudgedCall, "args" | "decision"> & {
  readonly args: Readonly<Record<string, unknown>> | null;
  readonly decision: string;
  readonly call: JudgedCall;
};

const Args = z.record(z.string(), z.unknown());

async function decidedCalls(database: Database, viewer: Viewer, { agentId, since }: Wanted): Promise<DecidedCall[]> {
  const found: DecidedCall[] = [];
  await eachJudgedCall(database, { agentId, since, reach: viewer.reach, isDecided: true }, (call) => {
    const args = call.args === null ? null : (Args.safeParse(JSON.parse(call.args)).data ?? null);
    found.push({ ...call, args, decision: call.decision ?? "", call });
  });
  return found;
}

const ID_PREFIX = "pp_";

/** Of the agent and the rule, so that the same proposal has the same id each time. */
function proposalId(agentId: string, rule: PermissionRule): string {
  const hash = createHash("sha256").update(JSON.stringify(rule)).digest("hex").slice(0, 16);
  return ID_PREFIX + Buffer.from(`${hash}/${agentId}`).toString("base64url");
}

function agentOf(id: string): string | null {
  const text = id.startsWith(ID_PREFIX) ? Buffer.from(id.slice(ID_PREFIX.length), "base64url").toString() : "";
  return text.split("/")[1] ?? null;
}

/** Of those that were dismissed, and of the rules that the draft has. */
async function hiddenIds(services: Services, agentId: string): Promise<ReadonlySet<string>> {
  const [dismissed, draft] = await Promise.all([
    services.database.dismissedProposal.findMany({ where: { agentId }, select: { id: true } }),
    getDraft(services, agentId),
  ]);
  const rules = AllowRules.safeParse(draft.config).data?.permissions?.allow ?? [];
  return new Set([...dismissed.map(({ id }) => id), ...rules.map((rule) => proposalId(agentId, inOrder(rule)))]);
}

/** As much of a draft as is needed. */
const AllowRules = z.looseObject({
  permissions: z.looseObject({ allow: z.array(z.union([z.string(), z.looseObject({ tool: z.string() })])) }).optional(),
});

/** With the fields in the order in which proposals have them. */
function inOrder(rule: unknown): PermissionRule {
  const {
    tool,
    args = {},
    prefix,
  } = z
    .looseObject({ tool: z.string(), args: z.record(z.string(), z.string()).optional(), prefix: z.string().optional() })
    .catch({ tool: "" })
    .parse(rule);
  const sorted = Object.fromEntries(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { tool, args: sorted, ...(prefix === undefined ? {} : { prefix }) };
}

type Tried = Proposal["whatIf"];

/** What the published rules and this one would have done with the calls; what they allow already does not count. */
function tried(
  rule: PermissionRule,
  { settings, decided }: { readonly settings: PermissionsConfig; readonly decided: readonly DecidedCall[] },
): Tried {
  const before = rulesJudge(settings);
  const after = rulesJudge({ ...settings, allow: [...settings.allow, rule] });
  const counts = { promptsSaved: 0, newlyAllowed: 0, deniedByPeople: 0 };
  const tool = typeof rule === "string" ? rule : rule.tool;
  for (const { call } of decided.filter((one) => one.tool === tool)) {
    if (verdictOf(call) !== "ask" || before(call)?.verdict !== "ask" || after(call)?.verdict !== "allow") continue;
    counts.promptsSaved += 1;
    counts.newlyAllowed += 1;
    if (call.decision === "deny") counts.deniedByPeople += 1;
  }
  return counts;
}

function isOfUse({ promptsSaved, deniedByPeople }: Tried): boolean {
  return promptsSaved > 0 && deniedByPeople === 0;
}

type Tryable = ProposedRule<DecidedCall> & { readonly id: string; readonly whatIf: Tried };

/** The calls are newest first. */
function toProposal(
  { id, rule, scope, pattern, calls, whatIf }: Tryable,
  names: ReadonlyMap<string, string>,
): Proposal {
  const people = [...new Set(calls.flatMap(({ decidedBy }) => decidedBy ?? []))];
  const [first = "", ...others] = people;
  return {
    ...{ id, rule, scope, pattern, whatIf },
    tool: calls[0]?.tool ?? "",
    calls: calls.length,
    people: people.length,
    onlyBy: others.length === 0 ? (names.get(first) ?? null) : null,
    since: (calls.at(-1)?.startedAt ?? new Date()).toISOString(),
    examples: calls.slice(0, EXAMPLES).map(({ runId, traceId, spanId, gist, startedAt }) => ({
      ...{ runId, traceId, spanId },
      gist: maskText(gist),
      startedAt: startedAt.toISOString(),
    })),
  };
}

async function addToDraft(services: Services, viewer: Viewer, agentId: string, rule: PermissionRule): Promise<void> {
  const { config, revision } = await getDraft(services, agentId);
  if (config === null) throw new AppError("conflict", "The agent's draft can't be read. Correct its YAML first.");
  const permissions = Fields.parse(config.permissions ?? {});
  const allow = z.array(z.unknown()).catch([]).parse(permissions.allow);
  const changed = { ...config, permissions: { ...permissions, allow: [...allow, written(rule)] } };
  await saveDraft(services, agentId, { config: changed, revision }, viewer);
}

const Fields = z.record(z.string(), z.unknown());

/** Without what is empty. */
function written(rule: PermissionRule): unknown {
  if (typeof rule === "string" || Object.keys(rule.args).length > 0) return rule;
  const { args: _, ...rest } = rule;
  return rest;
}
