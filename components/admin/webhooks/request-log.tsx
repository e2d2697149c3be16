"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { StateChip } from "@/components/ui/states/state-ring";
import { Time } from "@/components/ui/time";
import { requestsQuery } from "@/lib/client/webhooks/webhook-queries";
import type { Firing } from "@/lib/schema/triggers/firing";

/** The outcome of the requests, newest first. */
export function RequestLog({ id }: { id: string }) {
  const query = useQuery(requestsQuery(id));
  return (
    <section aria-label="Requests">
      <h3 className="flex h-11 items-center border-b border-separator px-4 text-sm font-semibold">Requests</h3>
      <QueryState what="requests" query={query}>
        {(firings) =>
          firings.length === 0 ? (
            <EmptyState title="No requests yet">Send one to the address above, signed with the secret.</EmptyState>
          ) : (
            <ul>
              {firings.map((firing) => (
                <Row key={firing.id} firing={firing} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

function Row({ firing: { state, reason, count, externalId, runId, status, dueAt } }: { firing: Firing }) {
  return (
    <li className="flex min-h-[34px] flex-wrap items-center gap-x-3 border-b border-separator px-4 py-1 text-sm">
      <span className="w-28 shrink-0">
        {state === "refused" ? <StateChip status="failed" word="Refused" /> : <StateChip status={status ?? "queued"} />}
      </span>
      <span className="min-w-0 flex-1 break-words">
        {reason ?? (
          <span className="block truncate font-mono text-xs" title={externalId ?? undefined}>
            {externalId}
          </span>
        )}
        {count > 1 ? <span className="ml-2 text-xs text-muted">{count} times in that minute</span> : null}
      </span>
      {runId === null ? null : (
        <Link href={`/traces/${encodeURIComponent(runId)}`} className="text-sm hover:underline">
          Open trace
        </Link>
      )}
      <Time at={dueAt} className="text-xs text-muted" />
    </li>
  );
}
