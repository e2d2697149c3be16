import type { ToolCall } from "@/lib/schema/messages/message";
import type { Interrupt, InterruptDecision } from "@/lib/schema/runs/interrupt";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import type { Handler } from "./compose";
import type { RunContext } from "./run-context";
import { failedCall, refusedCall } from "./tools/execute-tool";
import { sortKeys } from "./tools/sort-keys";
import { describeCall, type ToolOutcome } from "./tools/tool";

/** "This exact call in this thread" (D-42); `args` is the canonical JSON of the arguments (`canonicalArgs`). */
export interface ToolGrant {
  readonly id: string;
  readonly tool: string;
  readonly args: string;
  /** Allows any simple command that begins with these words, not just this exact call. */
  readonly pattern?: string | null;
  /** Applies to every run of one trigger instead of to a thread. */
  readonly isOfTrigger?: boolean;
}

/** A run's view of approvals and grants: complete at the start of a segment, constant during it. */
export interface RunInterrupts {
  /** False if nobody can be asked (`/v1`): an ask then becomes a denial whose text says so. */
  readonly canAsk: boolean;
  /** How long an ask stays open before it expires; null for no limit. */
  readonly expiresAfterMs: number | null;
  /** The grants that apply to the run's thread. */
  readonly grants: readonly ToolGrant[];
  /** The decision on a call, by kind; undefined if it is still open. */
  decisionOf(kind: Interrupt["kind"], toolCallId: string): InterruptDecision | undefined;
  /** A question that was asked under this id; undefined if none was. */
  questionOf(toolCallId: string): AskedQuestion | undefined;
  /** The refusal or expiry of an earlier ask in this turn about the same tool and arguments; nobody is asked again. */
  denialOf(call: ToolCall): InterruptDecision | undefined;
}

/** From where the call can be continued, if its tool said so with the question. */
interface AskedQuestion {
  readonly continuation?: string | undefined;
}

/** A call that a person refused in another run of the same turn: the parent's, or another subagent's. */
export interface RefusedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly decision: InterruptDecision;
}

interface KnownOfPeople extends Pick<RunInterrupts, "canAsk" | "grants"> {
  readonly expiresAfterMs?: number | null;
  readonly refused?: readonly RefusedCall[];
}

/** Reads the asks and decisions from a run's events. */
export function foldInterrupts(
  events: Iterable<RunEvent>,
  { canAsk, grants, expiresAfterMs = null, refused = [] }: KnownOfPeople,
): RunInterrupts {
  const asked = new Map<string, string>();
  const questions = new Map<string, AskedQuestion>();
  const decisions = new Map<string, InterruptDecision>();
  const denials = new Map(refused.map(({ tool, args, decision }) => [keyOf(tool, args), decision]));
  for (const event of events) {
    if (event.type === "approval.requested") asked.set(event.toolCallId, keyOf(event.tool, event.args));
    if (event.type === "question.asked") questions.set(event.toolCallId, { continuation: event.continuation });
    if (event.type !== "interrupt.decided") continue;
    const { type: _, ...decision } = event;
    decisions.set(`${decision.kind}:${decision.toolCallId}`, decision);
    const key = asked.get(decision.toolCallId);
    const isNo = decision.decision === "deny" || decision.decision === "expired";
    if (decision.kind === "approval" && isNo && key !== undefined) denials.set(key, decision);
  }
  return {
    canAsk,
    grants,
    expiresAfterMs,
    questionOf: (toolCallId) => questions.get(toolCallId),
    decisionOf: (kind, toolCallId) => decisions.get(`${kind}:${toolCallId}`),
    denialOf: ({ name, args }) => denials.get(keyOf(name, args)),
  };
}

/** The calls with an open ask (neither decided nor finished), in the order they were asked. */
export function openInterrupts(events: Iterable<RunEvent>): Interrupt[] {
  const open = new Map<string, Interrupt>();
  for (const event of events) {
    switch (event.type) {
      case "approval.requested": {
        const { type: _, step: __, ...asked } = event;
        open.set(`approval:${asked.toolCallId}`, { kind: "approval", ...asked });
        break;
      }
      case "question.asked": {
        const { type: _, step: __, continuation: ___, ...asked } = event;
        open.set(`question:${asked.toolCallId}`, { kind: "question", ...asked });
        break;
      }
      case "budget.reached": {
        const { type: _, step: __, ...asked } = event;
        open.set(`budget:${asked.toolCallId}`, { kind: "budget", tool: "budget", args: {}, ...asked });
        break;
      }
      case "connect.asked": {
        const { type: _, step: __, ...asked } = event;
        open.set(`connect:${asked.toolCallId}`, { kind: "connect", args: {}, ...asked });
        break;
      }
      // Each segment asks again for accounts that are still not connected.
      case "run.started":
        for (const [key, { kind }] of open) if (kind === "connect") open.delete(key);
        break;
      case "interrupt.decided":
        open.delete(`${event.kind}:${event.toolCallId}`);
        break;
      case "tool.result":
        open.delete(`approval:${event.result.toolCallId}`);
        open.delete(`question:${event.result.toolCallId}`);
        break;
    }
  }
  return [...open.values()];
}

/** Serialises arguments so that equal arguments give equal text, whatever the order of their keys. */
export function canonicalArgs(args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(sortKeys(args));
}

function keyOf(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `${tool} ${canonicalArgs(args)}`;
}

/**
 * Lets a call run only with a person's approval. The first time, the call is left pending; once decided, it runs (with
 * the person's edited arguments, if any) or the model reads why not. `ask` tells the person the reason, and where the
 * call would run.
 */
export async function runWithApproval(
  call: ToolCall,
  ask: AskContext,
  next: Handler<ToolCall, ToolOutcome>,
  context: RunContext,
): Promise<ToolOutcome> {
  const { interrupts } = context;
  if (!interrupts.canAsk) return failedCall(call, [NOBODY_TO_ASK, ask.reason].filter(Boolean).join(" "));
  const decision = interrupts.decisionOf("approval", call.id);
  if (!decision) {
    const denial = interrupts.denialOf(call);
    if (denial) return refusedCall(call, refusalOf(denial), `${denialText(denial)} ${NOT_ASKED_AGAIN}`);
    return leavePending(call, ask, context);
  }
  switch (decision.decision) {
    case "allow":
      return next(call);
    case "edit":
      return runEdited(call, decision.args ?? call.args, next);
    default:
      return refusedCall(call, refusalOf(decision), denialText(decision));
  }
}

/** Facts shown to a person with an ask, besides the call itself. */
export interface AskContext {
  readonly reason?: string;
  readonly runsIn?: string;
}

/** When an ask created now expires; empty if it never does. */
export function approvalExpiry({ interrupts, now }: Pick<RunContext, "interrupts" | "now">): { expiresAt?: string } {
  const { expiresAfterMs } = interrupts;
  return expiresAfterMs === null ? {} : { expiresAt: new Date(now() + expiresAfterMs).toISOString() };
}

const NOBODY_TO_ASK =
  "This call needs the approval of a person, and nobody can be asked in this run. Try a way that needs none, or tell the user what you would do.";
const NOT_ASKED_AGAIN = "It was not asked again.";

const EXPIRED = "The approval expired: nobody decided on this call in time, so it did not run.";

function refusalOf({ decision }: InterruptDecision): "declined" | "expired" {
  return decision === "expired" ? "expired" : "declined";
}

function denialText({ decision, reason }: InterruptDecision): string {
  if (decision === "expired") return `${EXPIRED}\nDo not repeat it. Find another way, or tell the user what is open.`;
  const why = reason === undefined || reason.trim() === "" ? "." : `: ${reason}`;
  return `The user declined this call${why}\nDo not repeat it. Find another way, or tell the user what is in the way.`;
}

function leavePending(call: ToolCall, ask: AskContext, context: RunContext): ToolOutcome {
  const { id: toolCallId, name: tool, args } = call;
  const { log, step } = context;
  const facts = describeCall(context.findTool(tool), args);
  log.emit({ type: "approval.requested", step, toolCallId, tool, args, facts, ...ask, ...approvalExpiry(context) });
  return { kind: "pending", toolCallId, reason: "approval" };
}

/** Tells the model about edited arguments, so that it does not believe its own arguments ran. */
async function runEdited(
  call: ToolCall,
  args: Record<string, unknown>,
  next: Handler<ToolCall, ToolOutcome>,
): Promise<ToolOutcome> {
  const rawArgs = JSON.stringify(args);
  const { argsError: _, ...rest } = call;
  const outcome = await next({ ...rest, args, rawArgs });
  if (outcome.kind === "pending") return outcome;
  const note = `\n\n[The user changed the arguments of this call before it ran: ${rawArgs}]`;
  const { output, error } = outcome.result;
  const changed = error === undefined ? { output: output + note } : { error: error + note };
  return { kind: "result", result: { ...outcome.result, ...changed } };
}
