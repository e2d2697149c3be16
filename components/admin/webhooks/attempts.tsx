"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "@/components/admin/query-state";
import { Segments } from "@/components/ui/controls/segments";
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
    <QueryState what="attempts" query={query}>
      {(found) => <Found found={found} />}
    </QueryState>
  );
}

function Found({ found: { attempts, body } }: { found: DeliveryAttempts }) {
  const [side, setSide] = useState<string>("request");
  const last = attempts.at(-1);
  const request = [...Object.entries(last?.headers ?? {}).map(([name, value]) => `${name}: ${value}`), "", body];
  return (
    <div className="flex flex-col gap-2 pt-2">
      {attempts.length === 0 ? <p className="text-sm text-muted">Nothing was sent yet.</p> : null}
      <ol className="text-xs">
        {attempts.map(({ at, status, error, tookMs }) => (
          <li key={at} className="flex min-h-7 items-center gap-2 border-b border-separator last:border-b-0">
            <StateRing status={error === null ? "completed" : "failed"} />
            <span className="w-20 shrink-0 font-medium">{status ?? "no answer"}</span>
            <span className="min-w-0 flex-1 break-words text-muted">{error ?? "accepted"}</span>
            <span className="shrink-0 tabular-nums">{tookMs} ms</span>
            <Time at={at} className="shrink-0 text-muted" />
          </li>
        ))}
      </ol>
      <Segments label="What is shown" options={SIDES} value={side} onChange={setSide} />
      <pre className="max-h-56 overflow-auto rounded-md border border-border bg-code p-2 text-xs break-all whitespace-pre-wrap">
        {side === "request" ? request.join("\n") : last?.response || "(an empty answer)"}
      </pre>
    </div>
  );
}
