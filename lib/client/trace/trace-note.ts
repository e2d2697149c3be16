import { failureText } from "@/lib/schema/runs/failure-text";
import type { TraceSummary } from "@/lib/schema/traces/trace";

type Ended = Pick<TraceSummary, "status" | "steps" | "error" | "errorCode" | "cancelledBy">;

const CAUSES: Record<string, string> = {
  model_failed: "at the model",
  hook_failed: "in a hook",
  timeout: "time limit",
  input_blocked: "at the guard",
  internal: "inside Ringmaster",
  unavailable: "unavailable",
};

/** The few words beside a trace's state: its progress, the limit, who cancelled, the short cause. */
export function traceNote(trace: Ended): string | null {
  switch (trace.status) {
    case "running":
      return trace.steps > 0 ? `step ${trace.steps}` : "starting";
    case "limit":
      return trace.steps === 1 ? "1 step" : `${trace.steps} steps`;
    case "cancelled":
      return trace.cancelledBy === null ? null : `by ${trace.cancelledBy}`;
    case "failed":
      return trace.errorCode === null ? null : (CAUSES[trace.errorCode] ?? trace.errorCode.replaceAll("_", " "));
    case "interrupted":
      return "process lost";
    default:
      return null;
  }
}

/** Why a run failed, from the first sentence of its error; null for every other run. */
export function failureCause({ status, error }: Pick<Ended, "status" | "error">): string | null {
  if (status !== "failed" || error === null) return null;
  const [line = ""] = failureText(error).split("\n", 1);
  return /^.{8,}?[.!?](?=\s+\p{Lu})/u.exec(line)?.[0] ?? line;
}

/** "claude-sonnet-4-5" from "anthropic:claude-sonnet-4-5": hovering shows the full name with its provider. */
export function shortModelName(model: string): string {
  return model.slice(model.indexOf(":") + 1);
}
