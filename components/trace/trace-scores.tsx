import { ThumbsDown, ThumbsUp } from "lucide-react";
import { formatExact } from "@/lib/client/ui/text/format";
import type { Score } from "@/lib/schema/traces/score";

/** People's ratings of the run, one line each: the thumb, who gave it and when, why, and what it should have been. */
export function TraceScores({ scores }: { scores: readonly Score[] }) {
  return (
    <ul
      aria-label="Thumbs"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls takes the keys that scroll it
      tabIndex={0}
      className="max-h-24 shrink-0 overflow-y-auto border-t border-border px-4 py-1.5 text-xs"
    >
      {scores.map(({ id, value, why, correction, authorName, updatedAt }) => (
        <li key={id} className="flex min-h-6 items-baseline gap-2">
          <span className="translate-y-0.5 text-muted">
            {value > 0 ? (
              <ThumbsUp className="size-3.5" aria-hidden />
            ) : (
              <ThumbsDown className="size-3.5" aria-hidden />
            )}
          </span>
          <span className="shrink-0 font-medium">{value > 0 ? "Good reply" : "Bad reply"}</span>
          {why === null ? null : <span className="min-w-0 break-words whitespace-pre-wrap">{why}</span>}
          {correction === null ? null : (
            <span className="min-w-0 break-words whitespace-pre-wrap">
              <span className="text-muted">Should have been: </span>
              {correction}
            </span>
          )}
          <span className="tnum ml-auto shrink-0 text-muted">
            {authorName}, {formatExact(Date.parse(updatedAt))}
          </span>
        </li>
      ))}
    </ul>
  );
}
