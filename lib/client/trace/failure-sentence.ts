import { failureText } from "@/lib/schema/runs/failure-text";
import type { Trace } from "@/lib/schema/traces/trace";
import type { SpanNode } from "./span-tree";

/**
 * Where a run failed: "The model call of step 2 failed." Null if the cause's own detail does not have the run's whole
 * error, which then has to be told elsewhere.
 */
export function failureSentence({ runId, error }: Pick<Trace, "runId" | "error">, cause?: SpanNode): string | null {
  const told = cause?.span?.error ?? null;
  if (cause === undefined || told === null || error === null || failureText(told) !== failureText(error)) return null;
  return `${subjectOf(cause)}${placeOf(cause, runId)} failed.`;
}

function subjectOf({ kind, label, parentId }: SpanNode): string {
  if (kind === "model") return label === "llm.call" ? "The model call" : `The model call “${label}”`;
  if (kind === "tool") return `The call of ${label}`;
  if (kind === "hook") return `The hook ${label}`;
  if (kind === "memory") return "The summary";
  return parentId === null ? "The run" : `The subagent ${label}`;
}

function placeOf({ step, span, kind }: SpanNode, runId: string): string {
  const isInChild = kind !== "agent" && span?.runId !== runId;
  return `${step === null ? "" : ` of step ${step}`}${isInChild ? " of a subagent" : ""}`;
}
