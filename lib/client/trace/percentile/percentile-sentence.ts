import { formatCount } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { type CallPercentile, MOST_CALLS, PERCENTILE_DAYS } from "@/lib/schema/traces/calls/call-percentile";

/**
 * "Slower than 97 % of 1,240 execute calls of this agent in 30 days (p95 1.2 s)"; null where all take as long. Per cent are
 * rounded down, so that no call is slower than all of those that it is one of.
 */
export function percentileSentence({ tool, calls, of, slowerThan, fasterThan, p95Ms }: CallPercentile): string | null {
  const isSlow = slowerThan >= fasterThan;
  const percent = Math.floor((isSlow ? slowerThan : fasterThan) * 100);
  if (percent === 0) return null;
  const last = calls < MOST_CALLS ? "" : "the last ";
  const counted = `${last}${formatCount(calls)} ${tool} calls`;
  const whose = of === "own" ? `your ${counted} by this agent` : `${counted} of this agent`;
  const place = `${isSlow ? "Slower" : "Faster"} than ${percent} % of ${whose}`;
  return `${place} in ${PERCENTILE_DAYS} days (p95 ${formatDuration(p95Ms)})`;
}
