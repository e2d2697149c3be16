import { z } from "zod";
import { CallSummary } from "@/lib/schema/tools/tool";
import { BudgetAsk } from "./budget-ask";
import { RunOriginKind } from "./run";

/**
 * The kind of an ask: to allow this call, to answer the questions of `ask_user`, to raise a budget, or to connect to
 * the call's MCP server.
 */
const InterruptKind = z.enum(["approval", "question", "budget", "connect"]);

/** The MCP server for which a call needs the person's own connection. */
export const ConnectAsk = z.object({
  serverId: z.string(),
  /** Null if the address is not known. */
  host: z.string().nullable(),
  /** Time at which the connection that the server no longer accepts was made (ISO 8601); null if there was none. */
  lostSince: z.string().nullable(),
});
export type ConnectAsk = z.infer<typeof ConnectAsk>;

/** One question of `ask_user`; without options the answer is free text, `multiple` allows several. */
export const Question = z.object({
  question: z.string().min(1).max(2_000),
  options: z.array(z.string().min(1).max(500)).min(2).max(20).optional(),
  multiple: z.boolean().optional(),
});
export type Question = z.infer<typeof Question>;

/** One answer: text, or the chosen options if several are allowed. */
export const Answer = z.union([z.string().max(20_000), z.array(z.string().max(20_000)).max(20)]);
export type Answer = z.infer<typeof Answer>;

/**
 * An ask's facts besides the call: where it would run, as a phrase; when it expires (ISO 8601); and the call described
 * for people (absent in asks of earlier versions).
 */
export const ASK_CONTEXT = {
  runsIn: z.string().optional(),
  expiresAt: z.string().optional(),
  facts: CallSummary.optional(),
} as const;

/** A call that waits for a person, as events store it. `reason` is why it asks; `questions` are those of a question. */
export const Interrupt = z.object({
  kind: InterruptKind,
  toolCallId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  reason: z.string().optional(),
  questions: z.array(Question).optional(),
  /** Only for a budget that was reached; `tool` is then "budget" and `args` are empty. */
  budget: BudgetAsk.optional(),
  /** Only for kind `connect`; `args` are then empty. */
  connect: ConnectAsk.optional(),
  ...ASK_CONTEXT,
  /** Set if a run below the requested one asks: that run and its name. */
  runId: z.string().optional(),
  subagent: z.string().optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

/** The same in the spelling of `/agents`; `run_id` and `subagent` are present if a run below the thread's asks. */
export const WireInterrupt = z.object({
  kind: InterruptKind,
  tool_call_id: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  reason: z.string().optional(),
  questions: z.array(Question).optional(),
  /** For a budget that was reached; null if it has no such limit, or the price is unknown. */
  cap_usd: z.number().nullable().optional(),
  spent_usd: z.number().optional(),
  next_call_usd: z.number().nullable().optional(),
  cap_tokens: z.number().nullable().optional(),
  spent_tokens: z.number().optional(),
  /** The MCP server to connect to: POST `/api/mcp-servers/{server_id}/connect` says where. */
  server_id: z.string().optional(),
  runs_in: z.string().optional(),
  expires_at: z.string().optional(),
  run_id: z.string().optional(),
  subagent: z.string().optional(),
});
export type WireInterrupt = z.infer<typeof WireInterrupt>;

export function toWireInterrupt(interrupt: Interrupt): WireInterrupt {
  const { kind, toolCallId, tool, args, reason, questions, budget, connect, runsIn, expiresAt, runId, subagent } =
    interrupt;
  return {
    kind,
    tool_call_id: toolCallId,
    tool,
    args,
    ...(reason === undefined ? {} : { reason }),
    ...(questions === undefined ? {} : { questions }),
    ...(budget === undefined ? {} : wireBudget(budget)),
    ...(connect === undefined ? {} : { server_id: connect.serverId }),
    ...(runsIn === undefined ? {} : { runs_in: runsIn }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(runId === undefined ? {} : { run_id: runId }),
    ...(subagent === undefined ? {} : { subagent }),
  };
}

function wireBudget({ capUsd, spentUsd, nextUsd, capTokens, spentTokens }: BudgetAsk) {
  return {
    cap_usd: capUsd,
    spent_usd: spentUsd,
    next_call_usd: nextUsd,
    ...(capTokens === null ? {} : { cap_tokens: capTokens, spent_tokens: spentTokens }),
  };
}

/**
 * The way a decision arrived: in the thread, in the inbox, with an API key, from a notification, in a chat of a
 * channel, or by expiry.
 */
export const DecisionWay = z.enum(["page", "inbox", "api", "push", "channel", "time"]);
export type DecisionWay = z.infer<typeof DecisionWay>;

/**
 * The outcome of an interrupt. `declined`: nobody answered, because the user sent another message or stopped the run
 * (D-53); `expired`: nobody answered in time. `args` are the edited ones of `edit`; `byName` is the name that the user
 * `by` had at that time.
 */
export const InterruptDecision = z.object({
  kind: InterruptKind,
  toolCallId: z.string(),
  decision: z.enum(["allow", "deny", "edit", "answer", "declined", "expired"]),
  args: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().optional(),
  answers: z.array(Answer).optional(),
  scope: z.enum(["once", "thread", "pattern"]).optional(),
  pattern: z.string().optional(),
  by: z.string(),
  byName: z.string().optional(),
  via: DecisionWay.optional(),
});
export type InterruptDecision = z.infer<typeof InterruptDecision>;

/**
 * One decision of a body. `edit` needs `args`, `answer` needs `answers` (one per question, in order); `scope: thread`
 * goes with `allow` or `edit` and lets exactly this call run in this thread until the grant expires; `scope: pattern`
 * lets any simple command run whose first words are `pattern`. `run_id` is only needed if two runs of the thread ask
 * about calls with the same id.
 */
export const Decision = z.strictObject({
  tool_call_id: z.string().min(1).max(200),
  run_id: z.string().min(1).max(200).optional(),
  decision: z.enum(["allow", "deny", "edit", "answer"]),
  args: z.record(z.string(), z.unknown()).optional(),
  reason: z.string().max(10_000).optional(),
  answers: z.array(Answer).max(20).optional(),
  scope: z.enum(["once", "thread", "pattern"]).optional(),
  pattern: z.string().trim().min(1).max(1_000).optional(),
});
export type Decision = z.infer<typeof Decision>;

/**
 * POST `/api/runs/{id}/decisions`: the same decisions as `/agents/{id}/resume`, on calls of the run and of its
 * subagents. `via` says where a signed-in person decides; with an API key it is always `api`.
 */
export const DecisionsBody = z.strictObject({
  decisions: z.array(Decision).min(1).max(200),
  via: DecisionWay.extract(["page", "inbox"]).optional(),
});
/** `queued`: the decided run continues; `waiting`: something is still `open` in the run or below it. */
export const DecisionsReply = z.object({
  runId: z.string(),
  status: z.enum(["queued", "waiting"]),
  open: z.array(Interrupt),
});
export type DecisionsReply = z.infer<typeof DecisionsReply>;

/** What started the run that asks: a person's message, or a named schedule, heartbeat, webhook, chat or board. */
export const AskSource = z.object({
  kind: RunOriginKind,
  /** Null for a message on the page or over the API, and if it no longer exists. */
  name: z.string().nullable(),
});
export type AskSource = z.infer<typeof AskSource>;

/** Something that waits for the viewer, across all threads. Times are ISO 8601. */
export const Approval = Interrupt.extend({
  id: z.string(),
  runId: z.string(),
  threadId: z.string(),
  threadTitle: z.string().nullable(),
  agentId: z.string(),
  agentName: z.string(),
  /** The asking subagent; the thread is then that of its root run. */
  subagent: z.string().optional(),
  /** The asking agent or the thread's was deleted: the ask can't be decided, only the run stopped. */
  agentDeleted: z.boolean().optional(),
  /** Only in lists of everything that waits. */
  source: AskSource.optional(),
  /** The thread's owner, if not the viewer: administrators raise everybody's budgets. */
  ownerName: z.string().optional(),
  /** A test of the agent's draft asks. */
  draft: z.literal(true).optional(),
  waitingSince: z.string(),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalQuery = z.strictObject({
  threadId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
});
export type ApprovalQuery = z.infer<typeof ApprovalQuery>;

/** GET `/api/approvals`: the viewer's inbox, longest wait first. `total` counts all pages. */
export const ApprovalList = z.object({
  approvals: z.array(Approval),
  nextCursor: z.string().nullable(),
  total: z.number(),
});
export type ApprovalList = z.infer<typeof ApprovalList>;

/** "This exact call in this thread": what `scope: thread` leaves behind (D-42). */
export const Grant = z.object({
  id: z.string(),
  /** Owner of the calls it allows; only in the reply to an administrator who sent `ownerId`. */
  ownerId: z.string().optional(),
  ownerName: z.string().optional(),
  threadId: z.string(),
  threadTitle: z.string().nullable(),
  agentId: z.string(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** The first words of the commands it allows; absent for exactly one call. */
  pattern: z.string().optional(),
  /** The agent's rules have changed since, so such a call asks again. */
  suspended: z.literal(true).optional(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Grant = z.infer<typeof Grant>;

/** The `ownerId` that means all owners. */
export const EVERYONE = "everyone";

export const GrantQuery = z.strictObject({
  /** Somebody else's grants, or `everyone`'s: for administrators. By default the viewer's own. */
  ownerId: z.string().min(1).max(200).optional(),
  threadId: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
});
export type GrantQuery = z.infer<typeof GrantQuery>;

/** GET `/api/grants`: those in force, newest first. */
export const GrantList = z.object({ grants: z.array(Grant), nextCursor: z.string().nullable() });
export type GrantList = z.infer<typeof GrantList>;
