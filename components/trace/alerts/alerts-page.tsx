"use client";
import { useQuery } from "@tanstack/react-query";
import { Page } from "@/components/shell/page";
import { TracesHead } from "@/components/trace/traces-head";
import { LinkButton } from "@/components/ui/controls/button";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { alertsQuery } from "@/lib/client/trace/alerts/alert-queries";
import { AlertButton } from "./alert-button";
import { AlertTable } from "./alert-table";

/** What the person is told of without looking at the list. */
export function AlertsPage() {
  const query = useQuery(alertsQuery);
  return (
    <Page>
      <TracesHead current="alerts" actions={<AlertButton label="New alert" query="" look="ghost" />} />
      <div className="min-h-0 flex-1 overflow-auto">
        <QueryState what="alerts" query={query}>
          {(alerts) =>
            alerts.length > 0 ? (
              <AlertTable alerts={alerts} />
            ) : (
              <EmptyState
                title="No alerts"
                actions={<LinkButton href="/traces">Choose filters in the list</LinkButton>}
              >
                An alert tells you when runs fail, take long, cost much or wait, or a schedule is missed. Alert me in
                the list takes its filters.
              </EmptyState>
            )
          }
        </QueryState>
      </div>
    </Page>
  );
}
