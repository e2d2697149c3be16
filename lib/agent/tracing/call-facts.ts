import type { RunContext } from "@/lib/agent/run-context";

const CALL_FACTS = "tracing.call-facts";

/** Sets facts about the whole run on the span of each of its model calls. */
export function addCallFacts(context: RunContext, facts: Readonly<Record<string, unknown>>): void {
  context.values.set(CALL_FACTS, { ...callFacts(context), ...facts });
}

export function callFacts(context: RunContext): Readonly<Record<string, unknown>> {
  return (context.values.get(CALL_FACTS) as Record<string, unknown> | undefined) ?? {};
}
