import type { Effort } from "@/lib/schema/agents/choices";

export const EFFORT_LABELS: Readonly<Record<Effort, string>> = {
  none: "No effort",
  minimal: "Minimal effort",
  low: "Low effort",
  medium: "Medium effort",
  high: "High effort",
  xhigh: "Extra high effort",
  max: "Maximum effort",
};
