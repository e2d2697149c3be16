"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/ui/states/query-state";
import { Time } from "@/components/ui/time";
import { sentQuery } from "@/lib/client/notifications/notification-queries";
import type { Delivery } from "@/lib/schema/triggers/delivery";
import type { NotificationKind, NotificationWay } from "@/lib/schema/users/notification";

const KINDS: Readonly<Record<NotificationKind | "summary", string>> = {
  summary: "What came up meanwhile",
  decision: "A decision was needed",
  finished: "A run finished",
  failed: "A run failed",
  budget: "A budget was reached",
  schedule: "A schedule was missed or paused",
  delivery: "A delivery was given up",
  board: "A board is done",
  alert: "An alert on runs",
};
const WAYS: Readonly<Record<NotificationWay, string>> = {
  page: "in page",
  push: "push",
  email: "email",
  channel: "chat",
};
const SHOWN = 12;

/** The notifications sent to the viewer, with their outcome. */
export function SentList() {
  const query = useQuery(sentQuery);
  return (
    <section aria-label="Sent to you" className="px-4 py-3">
      <h2 className="text-sm font-semibold">Sent to you</h2>
      <QueryState what="notifications that were sent" query={query}>
        {(sent) =>
          sent.length === 0 ? (
            <p className="mt-2 text-sm text-muted">Nothing was sent to you yet.</p>
          ) : (
            <ul className="mt-1">
              {sent.slice(0, SHOWN).map(({ id, kind, way, createdAt, ...delivery }) => (
                <li key={id} className="border-b border-separator py-2 last:border-b-0">
                  <p className="flex items-baseline gap-2 text-sm">
                    <span className="min-w-0 flex-1 font-medium">{KINDS[kind]}</span>
                    <Time at={createdAt} className="text-xs text-muted" />
                  </p>
                  <p className="text-xs break-words text-muted">
                    {WAYS[way]} · {became(delivery)}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

function became({ state, attempts, error, nextAt }: Pick<Delivery, "state" | "attempts" | "error" | "nextAt">): string {
  if (state === "sent") return attempts > 1 ? `sent on attempt ${attempts}` : "sent";
  if (state === "uncertain") return "sent again because it was unclear whether it had arrived";
  if (state === "failed") return error ?? "not sent";
  if (attempts > 0) return `not sent yet: ${error ?? "the attempt is still running"}`;
  return nextAt !== null && Date.parse(nextAt) > Date.now() + 60_000
    ? "held back until your pause or quiet hours end"
    : "being sent";
}
