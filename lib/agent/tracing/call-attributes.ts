import type { RunContext } from "@/lib/agent/run-context";

const CALL_ATTRIBUTES = "tracing.call-attributes";

/** Sets facts about the whole run on the span of each of its model calls. */
export function addCallAttributes(context: RunContext, facts: Readonly<Record<string, unknown>>): void {
  context.values.set(CALL_ATTRIBUTES, { ...addedCallAttributes(context), ...facts });
}

export function addedCallAttributes(context: RunContext): Readonly<Record<string, unknown>> {
  return (context.values.get(CALL_ATTRIBUTES) as Record<string, unknown> | undefined) ?? {};
}
