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

/**
 * Relative time that updates with the clock, the exact time on hover. Another time is another element: beside the right
 * edge a text that only grows would move.
 */
export function Time({ at, isInSentence = false, className }: TimeProps) {
  const now = useHalfMinute();
  const atMs = typeof at === "number" ? at : Date.parse(at);
  const iso = new Date(atMs).toISOString();
  const words = now === null ? "" : (isInSentence ? formatAgo : formatRelative)(atMs, now);
  return (
    <time key={words} dateTime={iso} title={now === null ? undefined : formatExact(atMs)} className={className}>
      {words}
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

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

/** "14:31", on another day "24 Nov, 14:31"; the exact time on hover. */
export function ClockTime({ at }: { at: string | number }) {
  const now = useHalfMinute();
  const time = new Date(at);
  const isToday = now !== null && time.toDateString() === new Date(now).toDateString();
  return (
    <time dateTime={time.toISOString()} title={now === null ? undefined : formatExact(time.getTime())}>
      {now === null ? "" : time.toLocaleString("en-GB", isToday ? CLOCK : { ...CLOCK, day: "numeric", month: "short" })}
    </time>
  );
}
