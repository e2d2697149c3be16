import type { ToolCall } from "@/lib/schema/message";
import type { ToolResult } from "@/lib/schema/tool";
import type { Handler } from "./compose";
import { refusedCall } from "./execute-tool";
import { applyGenerationState, type GenerationState, generationState } from "./generation-state";
import type { Hook, RunOutcome } from "./hook";
import { messageOf } from "./hook-chain";
import { runWithApproval } from "./interrupts";
import { isRunSuspended } from "./run-cancelled";
import type { RunContext } from "./run-context";
import type { Tool, ToolOutcome } from "./tool";

/**
 * What a guard says to a call before it runs (S2). `allow` also settles what guards further in would ask; a deny of
 * theirs still denies. `continue` has no opinion.
 */
export type Verdict =
  | { readonly verdict: "allow" | "continue" }
  | { readonly verdict: "deny"; readonly message: string }
  | { readonly verdict: "ask"; readonly message?: string };

/** A call as a guard sees it. `tool` is undefined when no tool has the name. */
export interface GuardedCall {
  readonly tool: Tool | undefined;
  readonly call: ToolCall;
  readonly context: RunContext;
}

/**
 * S2's pre and post hooks: the simple face of a hook, for rules that only look before and after. A throw in
 * `preGeneration` fails the run, in `preToolUse` it denies the call; in the two post phases it is logged.
 * `postGeneration` finds S2's Response, OutputMessages and Usage in the outcome.
 */
export interface Guard {
  preGeneration?(state: GenerationState, context: RunContext): Promise<void>;
  postGeneration?(outcome: RunOutcome, context: RunContext): Promise<void>;
  preToolUse?(guarded: GuardedCall): Promise<Verdict>;
  postToolUse?(guarded: GuardedCall, result: ToolResult): Promise<void>;
}

/** A hook made from a guard; `guard` is what the list of phases shows of it. */
export interface GuardHook extends Hook {
  readonly guard: Guard;
}

/** Turns a guard into a hook, so that the loop knows one mechanism only. */
export function guardHook(name: string, guard: Guard): GuardHook {
  const { preGeneration, postGeneration } = guard;
  return {
    name,
    guard,
    ...(preGeneration && {
      beforeAgent: (context) => preGeneration(generationState(context), context),
      modifyRequest: async (request, context) => applyGenerationState(request, context),
    }),
    ...(postGeneration && { afterAgent: (outcome, context) => postGeneration(outcome, context) }),
    ...((guard.preToolUse || guard.postToolUse) && { wrapToolCall: guardToolCalls(name, guard) }),
  };
}

function guardToolCalls(name: string, guard: Guard): NonNullable<Hook["wrapToolCall"]> {
  return async (call, next, context) => {
    const guarded = { call, context, tool: context.findTool(call.name) };
    const outcome = await enforce(await judge(name, guard, guarded), guarded, next);
    if (outcome.kind === "pending") return outcome;
    try {
      await guard.postToolUse?.(guarded, outcome.result);
    } catch (error) {
      context.logLine("error", `hook ${name} post_tool_use: ${messageOf(error)}`);
    }
    return outcome;
  };
}

async function judge(name: string, guard: Guard, guarded: GuardedCall): Promise<Verdict> {
  try {
    return (await guard.preToolUse?.(guarded)) ?? { verdict: "continue" };
  } catch (error) {
    guarded.context.signal.throwIfAborted();
    if (isRunSuspended(error)) throw error;
    return { verdict: "deny", message: `hook ${name} pre_tool_use: ${messageOf(error)}` };
  }
}

/** Runs the call when the verdict lets it, once a person has agreed where it asks for one. */
async function enforce(
  verdict: Verdict,
  { call, context }: GuardedCall,
  next: Handler<ToolCall, ToolOutcome>,
): Promise<ToolOutcome> {
  const allowedKey = `guard.allowed:${call.id}`;
  switch (verdict.verdict) {
    case "allow":
      context.values.set(allowedKey, true);
      return next(call);
    case "continue":
      return next(call);
    case "deny":
      return refusedCall(call, "rule", verdict.message);
    case "ask":
      return context.values.has(allowedKey) ? next(call) : runWithApproval(call, askFacts(verdict), next, context);
  }
}

function askFacts({ message }: { readonly message?: string }) {
  return message === undefined ? {} : { reason: message };
}
