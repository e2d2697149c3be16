"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Segments } from "@/components/ui/controls/segments";
import { QueryState } from "@/components/ui/states/query-state";
import { StateRing } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { attemptsQuery } from "@/lib/client/webhooks/webhook-queries";
import type { DeliveryAttempts } from "@/lib/schema/triggers/delivery";

const SIDES = [
  { id: "request", name: "Request" },
  { id: "response", name: "Response" },
] as const;

/** A delivery's requests, and the responses. */
export function Attempts({ deliveryId }: { deliveryId: string }) {
  const query = useQuery(attemptsQuery(deliveryId));
  return (
    <div className="@container">
      <QueryState what="attempts" query={query}>
        {(found) => <Found found={found} />}
      </QueryState>
    </div>
  );
}

function Found({ found: { attempts, body } }: { found: DeliveryAttempts }) {
  const [side, setSide] = useState<string>("request");
  const last = attempts.at(-1);
  const request = [...Object.entries(last?.headers ?? {}).map(([name, value]) => `${name}: ${value}`), "", body];
  return (
    <div className="grid gap-x-4 gap-y-2 pt-2 @3xl:grid-cols-2">
      {attempts.length === 0 ? <p className="text-sm text-muted">Nothing sent yet.</p> : null}
      <ol className="text-xs empty:hidden">
        {attempts.map(({ at, status, error, tookMs }) => (
          <li key={at} className="flex min-h-7 items-center gap-2 border-b border-separator py-1 last:border-b-0">
            <StateRing status={error === null ? "completed" : "failed"} />
            <span className="w-16 shrink-0 font-medium">{status ?? "no answer"}</span>
            <span className="min-w-0 flex-1 break-words text-muted">{error ?? "accepted"}</span>
            <span className="shrink-0 tabular-nums">{tookMs} ms</span>
            <Time at={at} className="shrink-0 text-muted" />
          </li>
        ))}
      </ol>
      <div className="flex min-w-0 flex-col items-start gap-2">
        <Segments label="What is shown" options={SIDES} value={side} onChange={setSide} />
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long body is scrolled by keys
          tabIndex={0}
          className="max-h-56 w-full overflow-auto rounded-md border border-border bg-code p-2 text-xs break-all whitespace-pre-wrap"
        >
          {side === "request" ? request.join("\n") : last?.response || "(an empty answer)"}
        </pre>
      </div>
    </div>
  );
}
