"use client";
import { formatAgo, formatExact, formatRelative, formatRemaining } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";

export interface TimeProps {
  /** ISO 8601 or Unix ms, in the server's time. */
  at: string | number;
  /** Within a sentence: "asked 6 min ago". */
  isInSentence?: boolean;
  className?: string;
}

/** Relative time that updates with the clock, the exact time on hover. */
export function Time({ at, isInSentence = false, className }: TimeProps) {
  const now = useHalfMinute();
  const atMs = typeof at === "number" ? at : Date.parse(at);
  const iso = new Date(atMs).toISOString();
  const words = isInSentence ? formatAgo : formatRelative;
  return (
    <time dateTime={iso} title={now === null ? undefined : formatExact(atMs)} className={className}>
      {now === null ? "" : words(atMs, now)}
    </time>
  );
}

/** The time left until something ends, the exact time on hover. */
export function TimeLeft({ until, className }: { until: string; className?: string }) {
  const now = useHalfMinute();
  const untilMs = Date.parse(until);
  return (
    <time dateTime={until} title={now === null ? undefined : formatExact(untilMs)} className={className}>
      {now === null ? "" : formatRemaining(untilMs, now)}
    </time>
  );
}
