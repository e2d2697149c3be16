import type { RunStatus } from "@/lib/schema/runs/run";
import type { SpanStatus } from "@/lib/schema/traces/span";

/** A state that deserves a ring instead of the kind's square; null for what simply went well. */
export const SPAN_RING: Record<SpanStatus, RunStatus | null> = {
  running: "running",
  completed: null,
  failed: "failed",
  cancelled: "cancelled",
  waiting: "waiting",
  limit: "limit",
  interrupted: "interrupted",
};
