"use client";
import { useSecond } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import type { RetryData } from "@/lib/schema/messages/ui-message";

export interface RetryLineProps {
  retry: RetryData;
  /** Nothing has arrived since: the run waits for the next attempt. */
  isLast: boolean;
}

/** A failed model attempt: why, and when or by which model it was retried. */
export function RetryLine({ retry, isLast }: RetryLineProps) {
  return (
    <p className="tnum text-sm leading-6 text-muted">
      Attempt {retry.attempt} failed: {retry.error.message}{" "}
      {isLast && retry.untilMs !== undefined ? (
        <Countdown retry={retry} untilMs={retry.untilMs} />
      ) : (
        pastAttemptText(retry)
      )}
    </p>
  );
}

function Countdown({ retry, untilMs }: { retry: RetryData; untilMs: number }) {
  const now = useSecond();
  const seconds = now === null ? null : Math.ceil((untilMs - now) / 1000);
  if (seconds === null || seconds <= 0) return nextAttemptText(retry);
  return `Next attempt in ${seconds} s.`;
}

function nextAttemptText({ model, nextModel }: RetryData): string {
  return isFallback({ model, nextModel }) ? `Asking ${nextModel} instead.` : "Asking again.";
}

function pastAttemptText({ model, nextModel, delayMs }: RetryData): string {
  if (isFallback({ model, nextModel })) return `${nextModel} was asked instead of ${model}.`;
  return delayMs === 0 ? "Tried again at once." : `Tried again after ${formatDuration(delayMs)}.`;
}

function isFallback({ model, nextModel }: Pick<RetryData, "model" | "nextModel">): boolean {
  return model !== undefined && model !== nextModel;
}
