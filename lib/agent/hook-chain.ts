import { AppError } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/message";
import type { ModelReply } from "@/lib/schema/run-event";
import { compose, type Handler, type Layer } from "./compose";
import type { Hook, RunOutcome } from "./hook";
import type { ModelRequest } from "./model";
import { isRunSuspended } from "./run-cancelled";
import type { RunContext } from "./run-context";
import type { ToolOutcome } from "./tool";

/** `beforeAgent` of every hook, in list order. The first throw fails the run (D-18). */
export async function callBeforeAgent(hooks: readonly Hook[], context: RunContext): Promise<void> {
  for (const hook of hooks) {
    context.signal.throwIfAborted();
    try {
      await hook.beforeAgent?.(context);
    } catch (error) {
      throw blame(hook, "before_agent", error, context);
    }
  }
}

/** Folds the request through `modifyRequest` of every hook, in list order. */
export async function foldRequest(
  hooks: readonly Hook[],
  request: ModelRequest,
  context: RunContext,
): Promise<ModelRequest> {
  let folded = request;
  for (const hook of hooks) {
    context.signal.throwIfAborted();
    try {
      folded = (await hook.modifyRequest?.(folded, context)) ?? folded;
    } catch (error) {
      throw blame(hook, "modify_request", error, context);
    }
  }
  return folded;
}

/** The rings around every model call. */
export function wrapModel(
  hooks: readonly Hook[],
  core: Handler<ModelRequest, ModelReply>,
  context: RunContext,
): Handler<ModelRequest, ModelReply> {
  const rings = hooks.flatMap((hook): Layer<ModelRequest, ModelReply>[] =>
    hook.wrapModelCall
      ? [
          ring(
            hook,
            "wrap_model_call",
            context,
            async (request, next) => hook.wrapModelCall?.(request, next, context) ?? next(request),
          ),
        ]
      : [],
  );
  return compose(rings, core);
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
            hook,
            "wrap_tool_call",
            context,
            async (call, next) => hook.wrapToolCall?.(call, next, context) ?? next(call),
          ),
        ]
      : [],
  );
  return compose(rings, core);
}

/** `afterAgent` of every hook, in list order. A throw is logged and the answer stands (D-18). */
export async function callAfterAgent(hooks: readonly Hook[], outcome: RunOutcome, context: RunContext): Promise<void> {
  for (const hook of hooks) {
    try {
      await hook.afterAgent?.(outcome, context);
    } catch (error) {
      if (isRunSuspended(error)) throw error;
      context.logLine("error", `hook ${hook.name} after_agent: ${messageOf(error)}`);
    }
  }
}

/** Tells a hook's own errors from those that pass through it from the inside. */
function ring<Req, Res>(hook: Hook, phase: string, context: RunContext, layer: Layer<Req, Res>): Layer<Req, Res> {
  return async (request, next) => {
    const passing = new Set<unknown>();
    const watchedNext = (inner: Req): Promise<Res> =>
      next(inner).catch((error: unknown) => {
        passing.add(error);
        throw error;
      });
    try {
      return await layer(request, watchedNext);
    } catch (error) {
      throw passing.has(error) ? error : blame(hook, phase, error, context);
    }
  };
}

function blame(hook: Hook, phase: string, error: unknown, context: RunContext): unknown {
  if (context.signal.aborted) return context.signal.reason;
  if (isRunSuspended(error)) return error;
  return new AppError("hook_failed", `hook ${hook.name} ${phase}: ${messageOf(error)}`, { cause: error });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
