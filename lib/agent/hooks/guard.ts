import type { Handler } from "@/lib/agent/compose";
import { runWithApproval } from "@/lib/agent/interrupts";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { RunContext } from "@/lib/agent/run-context";
import { refusedCall } from "@/lib/agent/tools/execute-tool";
import type { Tool, ToolOutcome } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ToolResult } from "@/lib/schema/tools/tool";
import {
  type FinishedGeneration,
  finishedGeneration,
  type GenerationState,
  prepareGeneration,
} from "./generation-state";
import type { Hook, RunOutcome } from "./hook";
import { messageOf } from "./hook-chain";

/**
 * A guard's verdict on a call before it runs (S2). `allow` also settles asks by inner guards; their denials still
 * apply. `continue` means no opinion.
 */
export type Verdict =
  | { readonly verdict: "allow" | "continue" }
  | { readonly verdict: "deny"; readonly message: string }
  | { readonly verdict: "ask"; readonly message?: string };

/** The facts available to every phase of a guard. */
interface GuardContext {
  /** Unix time in ms. */
  readonly now: number;
  readonly context: RunContext;
}

/** A call as a guard sees it. `tool` is undefined if no tool has that name. */
export interface GuardedCall extends GuardContext {
  readonly tool: Tool | undefined;
  readonly call: ToolCall;
  readonly agent: { readonly id: string; readonly config: AgentConfig };
}

/**
 * S2's pre and post hooks: a simpler form of hook, for rules that only run before and after. A throw in `preGeneration`
 * fails the run; in `preToolUse` it denies the call; in the two post phases it is logged. `preGeneration` runs in the
 * run's first segment only; its changes apply to all segments (D-73).
 */
export interface Guard {
  preGeneration?(facts: GuardContext & { readonly state: GenerationState }): void | Promise<void>;
  postGeneration?(
    facts: GuardContext & { readonly state: FinishedGeneration; readonly outcome: RunOutcome },
  ): void | Promise<void>;
  preToolUse?(guarded: GuardedCall): Verdict | Promise<Verdict>;
  postToolUse?(guarded: GuardedCall & { readonly result: ToolResult }): void | Promise<void>;
}

/** A hook built from a guard; the list of phases shows `guard`. */
export interface GuardHook extends Hook {
  readonly guard: Guard;
}

/** Turns a guard into a hook, so that the loop has to support only one mechanism. */
export function guardHook(name: string, guard: Guard): GuardHook {
  return {
    name,
    guard,
    ...(guard.preGeneration && {
      beforeAgent: (context) =>
        prepareGeneration(context, `hook ${name} before_agent`, (state) =>
          guard.preGeneration?.({ state, now: context.now(), context }),
        ),
    }),
    ...(guard.postGeneration && {
      afterAgent: async (outcome, context) =>
        guard.postGeneration?.({
          state: finishedGeneration(context, outcome),
          outcome,
          now: context.now(),
          context,
        }),
    }),
    ...((guard.preToolUse || guard.postToolUse) && { wrapToolCall: guardToolCalls(name, guard) }),
  };
}

function guardToolCalls(name: string, guard: Guard): NonNullable<Hook["wrapToolCall"]> {
  return async (call, next, context) => {
    const agent = { id: context.agentId, config: context.config };
    const guarded = { call, context, agent, tool: context.findTool(call.name), now: context.now() };
    const outcome = await enforce(await judge(name, guard, guarded), guarded, next);
    if (outcome.kind === "pending") return outcome;
    try {
      await guard.postToolUse?.({ ...guarded, now: context.now(), result: outcome.result });
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
    if (error instanceof RunSuspended) throw error;
    return { verdict: "deny", message: `hook ${name} pre_tool_use: ${messageOf(error)}` };
  }
}

/** Runs the call if the verdict permits it, after approval if the verdict asks for one. */
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
      return context.values.has(allowedKey) ? next(call) : runWithApproval(call, askContext(verdict), next, context);
  }
}

function askContext({ message }: { readonly message?: string }) {
  return message === undefined ? {} : { reason: message };
}
