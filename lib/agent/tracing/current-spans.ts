import type { RunContext, SpanHandle } from "@/lib/agent/run-context";

const MODEL_SPAN = "tracing.model-span";

/** The span of the running model call: other hooks' work during the call is recorded below it. */
export function currentModelSpan(context: RunContext): SpanHandle | null {
  return (context.values.get(MODEL_SPAN) as SpanHandle | undefined) ?? null;
}

export function setCurrentModelSpan(context: RunContext, span: SpanHandle | null): void {
  if (span) context.values.set(MODEL_SPAN, span);
  else context.values.delete(MODEL_SPAN);
}

/** The span of a running tool call. */
export function currentToolSpan(context: RunContext, toolCallId: string): SpanHandle | null {
  return (context.values.get(toolSpanKey(toolCallId)) as SpanHandle | undefined) ?? null;
}

export function setCurrentToolSpan(context: RunContext, toolCallId: string, span: SpanHandle | null): void {
  if (span) context.values.set(toolSpanKey(toolCallId), span);
  else context.values.delete(toolSpanKey(toolCallId));
}

function toolSpanKey(toolCallId: string): string {
  return `tracing.tool-span:${toolCallId}`;
}
