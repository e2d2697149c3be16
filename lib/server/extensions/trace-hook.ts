import type { ExtensionSource, Hook } from "@/lib/agent/hooks/hook";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import type { RunContext, SpanHandle } from "@/lib/agent/run-context";
import { currentModelSpan, currentToolSpan } from "@/lib/agent/tracing/current-spans";

/** Wraps an extension's hook with a span around each phase that names the extension. */
export function traceHook(hook: Hook, extension: ExtensionSource): Hook {
  const { name, beforeAgent, modifyRequest, wrapModelCall, wrapToolCall, afterAgent } = hook;
  const around = <Result>(place: Place, work: () => Promise<Result>): Promise<Result> =>
    inSpan({ name, extension, ...place }, work);
  return {
    ...hook,
    extension,
    ...(beforeAgent && {
      beforeAgent: (context) =>
        around({ context, phase: "before_agent" }, () => beforeAgent(namingTools(context, extension))),
    }),
    ...(modifyRequest && {
      modifyRequest: (request, context) =>
        around({ context, phase: "modify_request" }, () => modifyRequest(request, context)),
    }),
    ...(wrapModelCall && {
      wrapModelCall: (request, next, context) =>
        around({ context, phase: "wrap_model_call", parent: currentModelSpan(context) }, () =>
          wrapModelCall(request, next, context),
        ),
    }),
    ...(wrapToolCall && {
      wrapToolCall: (call, next, context) =>
        around({ context, phase: "wrap_tool_call", parent: currentToolSpan(context, call.id) }, () =>
          wrapToolCall(call, next, context),
        ),
    }),
    ...(afterAgent && {
      afterAgent: (outcome, context) => around({ context, phase: "after_agent" }, () => afterAgent(outcome, context)),
    }),
  };
}

/** The context, changed so that tools registered by the hook carry their origin. */
function namingTools(context: RunContext, extension: ExtensionSource): RunContext {
  const registerTool: RunContext["registerTool"] = (tool) => context.registerTool({ ...tool, extension });
  return Object.create(context, { registerTool: { value: registerTool } });
}

interface Place {
  readonly context: RunContext;
  readonly phase: string;
  readonly parent?: SpanHandle | null;
}

interface SpanPlace extends Place {
  readonly name: string;
  readonly extension: ExtensionSource;
}

async function inSpan<Result>(place: SpanPlace, work: () => Promise<Result>): Promise<Result> {
  const { context, phase, parent, name, extension } = place;
  const span = context.trace?.startSpan({
    name: `hook.${name}`,
    type: "hook",
    ...(parent ? { parentId: parent.id } : {}),
    attributes: { phase, extension: extension.file, extension_hash: extension.hash },
  });
  try {
    const result = await work();
    span?.end(isPending(result) ? "waiting" : "completed");
    return result;
  } catch (error) {
    const reason: unknown = context.signal.aborted ? context.signal.reason : error;
    if (reason instanceof RunSuspended) span?.end("interrupted");
    else span?.end("failed", reason instanceof Error ? reason.message : String(reason));
    throw error;
  }
}

function isPending(result: unknown): boolean {
  return typeof result === "object" && result !== null && "kind" in result && result.kind === "pending";
}
