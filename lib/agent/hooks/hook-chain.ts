import { BudgetReached } from "@/lib/agent/budget";
import { compose, type Handler, type Layer } from "@/lib/agent/compose";
import { checkChain } from "@/lib/agent/messages/check-chain";
import type { ModelRequest } from "@/lib/agent/model";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolOutcome } from "@/lib/agent/tools/tool";
import { AppError } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { closeGeneration } from "./generation-state";
import type { Hook, RunOutcome } from "./hook";

/**
 * Calls `beforeAgent` of every hook, in list order. The first throw fails the run (D-18). Changes by `preGeneration`
 * hooks are journalled, so that they apply in later segments (D-73).
 */
export async function callBeforeAgent(hooks: readonly Hook[], context: RunContext): Promise<void> {
  for (const hook of hooks) {
    context.signal.throwIfAborted();
    try {
      await hook.beforeAgent?.(context);
    } catch (error) {
      throw blame(hook, "before_agent", error, context);
    }
  }
  const changes = closeGeneration(context);
  if (changes) context.log.emit({ type: "generation.prepared", ...changes });
}

/**
 * Folds the request through `modifyRequest` of every hook, in list order. A hook's messages are checked before the
 * next hook sees them (D-72).
 */
export async function foldRequest(
  hooks: readonly Hook[],
  request: ModelRequest,
  context: RunContext,
): Promise<ModelRequest> {
  let folded = request;
  for (const hook of hooks) {
    if (!hook.modifyRequest) continue;
    context.signal.throwIfAborted();
    const before = { messages: folded.messages, length: folded.messages.length };
    try {
      folded = (await hook.modifyRequest(folded, context)) ?? folded;
    } catch (error) {
      throw blame(hook, "modify_request", error, context);
    }
    checkChain(folded.messages, `hook ${hook.name} modify_request`, before);
  }
  return folded;
}

/** The rings around every model call. Checks the requests that a ring passes on and the answers it returns (D-72). */
export function wrapModel(
  hooks: readonly Hook[],
  core: Handler<ModelRequest, ModelReply>,
  context: RunContext,
): Handler<ModelRequest, ModelReply> {
  const rings = hooks.flatMap((hook): Layer<ModelRequest, ModelReply>[] => {
    const around = hook.wrapModelCall?.bind(hook);
    if (!around) return [];
    const place = { hook, phase: "wrap_model_call", context };
    return [ring(place, (request, next) => around(request, next, context), modelCheck(hook))];
  });
  return compose(rings, core);
}

function modelCheck({ name }: Hook): RingCheck<ModelRequest, ModelReply> {
  const culprit = `hook ${name} wrap_model_call`;
  return {
    begin({ messages }) {
      const before = { messages, length: messages.length };
      return (inner) => checkChain(inner.messages, culprit, before);
    },
    end(reply) {
      if (reply.toolCalls.every((call) => call.name !== "")) return;
      throw new AppError("invalid_chain", `${culprit}: its reply has a tool call without a name`);
    },
  };
}

/** The rings around every tool call. */
export function wrapTools(
  hooks: readonly Hook[],
  core: Handler<ToolCall, ToolOutcome>,
  context: RunContext,
): Handler<ToolCall, ToolOutcome> {
  const rings = hooks.flatMap((hook): Layer<ToolCall, ToolOutcome>[] =>
    hook.wrapToolCall
      ? [
          ring(
            { hook, phase: "wrap_tool_call", context },
            async (call, next) => hook.wrapToolCall?.(call, next, context) ?? next(call),
          ),
        ]
      : [],
  );
  return compose(rings, core);
}

/** Calls `afterAgent` of every hook, in list order. A throw is logged and the answer is kept (D-18). */
export async function callAfterAgent(hooks: readonly Hook[], outcome: RunOutcome, context: RunContext): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook.afterAgent?.(outcome, context);
    } catch (error) {
      if (error instanceof RunSuspended) throw error;
      context.logLine("error", `hook ${hook.name} after_agent: ${messageOf(error)}`);
    }
  }
}

interface RingPlace {
  readonly hook: Hook;
  readonly phase: string;
  readonly context: RunContext;
}

/** Checks the requests that a ring passes on (given the one it received) and its result; throws if they are invalid. */
interface RingCheck<Req, Res> {
  begin(request: Req): (inner: Req) => void;
  end(result: Res): void;
}

/** Attributes errors to a hook only if it threw them itself, not if they passed through it from an inner ring. */
function ring<Req, Res>(place: RingPlace, layer: Layer<Req, Res>, check?: RingCheck<Req, Res>): Layer<Req, Res> {
  return async (request, next) => {
    const passing = new Set<unknown>();
    const checkInner = check?.begin(request);
    const watchedNext = (inner: Req): Promise<Res> => {
      checkInner?.(inner);
      return next(inner).catch((error: unknown) => {
        passing.add(error);
        throw error;
      });
    };
    try {
      const result = await layer(request, watchedNext);
      check?.end(result);
      return result;
    } catch (error) {
      throw passing.has(error) ? error : blame(place.hook, place.phase, error, place.context);
    }
  };
}

function blame(hook: Hook, phase: string, error: unknown, context: RunContext): unknown {
  if (context.signal.aborted) return context.signal.reason;
  if (error instanceof RunSuspended || error instanceof BudgetReached) return error;
  if (error instanceof AppError && error.code === "invalid_chain") return error;
  return new AppError("hook_failed", `hook ${hook.name} ${phase}: ${messageOf(error)}`, { cause: error });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
