import type { RunEvent } from "@/lib/schema/runs/run-event";

type Completed = Extract<RunEvent, { type: "run.completed" }>;

/**
 * What people read about the end of a completed run, on every surface; null if its answer says all. A
 * `default_response` replaces the reason, except at a limit, where people need both.
 */
export function completionText({
  status,
  notice,
  defaultResponse,
}: Pick<Completed, "status" | "notice" | "defaultResponse">): string | null {
  if (notice === undefined) return null;
  return status === "limit" ? [defaultResponse, notice].filter(Boolean).join("\n\n") : (defaultResponse ?? notice);
}
