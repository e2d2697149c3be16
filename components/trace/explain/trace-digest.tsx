"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/ui/states/query-state";
import { digestText } from "@/lib/client/trace/explain/digest-text";
import { traceDigestQuery } from "@/lib/client/trace/trace-queries";
import { classNames } from "@/lib/client/ui/class-names";
import type { DigestLine } from "@/lib/schema/traces/digest";

export interface TraceDigestProps {
  traceId: string;
  onOpen: (spanId: string) => void;
}

/** What is worth knowing about the run; each line opens the span that it stands on. */
export function TraceDigest({ traceId, onOpen }: TraceDigestProps) {
  const digest = useQuery(traceDigestQuery(traceId));
  return (
    <section
      aria-label="What stands out in this run"
      className="max-h-56 shrink-0 overflow-y-auto border-b border-border py-1"
    >
      <QueryState what="the explanation" query={digest} rows={2}>
        {({ lines }) =>
          lines.length === 0 ? (
            <p className="px-3 py-1.5 text-xs text-muted">
              Nothing stands out in this run: no failure, no wait for a person, and no slow or costly call.
            </p>
          ) : (
            <ul>
              {lines.map((line) => (
                <li key={`${line.kind} ${line.spanId} ${line.kind === "version" ? line.measure : ""}`}>
                  <button
                    type="button"
                    onClick={() => onOpen(line.spanId)}
                    className={classNames(
                      "w-full px-3 py-1 text-left text-xs wrap-anywhere -outline-offset-2 touch-row hover:bg-default",
                      COLOURS[line.kind],
                    )}
                  >
                    {digestText(line)}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

const COLOURS: Readonly<Partial<Record<DigestLine["kind"], string>>> = {
  failed: "text-fail-text",
  waited: "text-signal-text",
};
