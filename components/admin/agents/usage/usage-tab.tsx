"use client";
import { DayChart } from "@/components/admin/usage/day-chart";
import { UsageSummary } from "@/components/admin/usage/usage-summary";
import { Select } from "@/components/ui/controls/select";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState } from "@/components/ui/states/state-block";
import { failureRate, useAgentUsage, useVersionUsage } from "@/lib/client/usage/agent-usage";
import { meanPriceOf, usageByDay } from "@/lib/client/usage/usage-days";
import { USAGE_PERIODS, type UsageView } from "@/lib/client/usage/use-usage-view";
import type { UsageRow } from "@/lib/schema/usage/usage-report";
import { VersionFigures } from "./version-figures";

/** An agent's usage, by day and by version, without tests of the draft. */
export function UsageTab({ agentId }: { agentId: string }) {
  const { view, query, rows } = useVersionUsage(agentId);
  const { url, setUrl, scope } = view;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-6">
      <header className="flex h-11 items-center gap-2 px-5">
        <h2 className="text-sm font-medium">Usage</h2>
        <span className="text-xs text-muted max-sm:hidden">Test runs of the draft are not counted.</span>
        <span className="flex-1" />
        <Select
          look="bare"
          label="Period"
          options={USAGE_PERIODS.map(({ id, name }) => ({ id, name }))}
          value={url.period}
          onChange={(id) => void setUrl({ period: USAGE_PERIODS.find((period) => period.id === id)?.id ?? null })}
        />
      </header>
      {scope === null ? (
        <SkeletonList label="Loading usage" rows={8} className="p-2" />
      ) : (
        <QueryState what="usage" query={query}>
          {() =>
            rows === null || rows.length === 0 ? (
              <EmptyState title="Nothing was used" className="h-auto!">
                No run of this agent began in these days. Choose a longer period, or start a chat with it.
              </EmptyState>
            ) : (
              <Report agentId={agentId} scope={scope} rows={rows} />
            )
          }
        </QueryState>
      )}
    </div>
  );
}

interface ReportProps {
  agentId: string;
  scope: NonNullable<UsageView["scope"]>;
  rows: readonly UsageRow[];
}

function Report({ agentId, scope, rows }: ReportProps) {
  const { days, total } = useAgentUsage(agentId, scope);
  return (
    <>
      {total ? <UsageSummary total={total} runsBefore={null} hasRate={failureRate(total) !== null} /> : null}
      <QueryState what="days" query={days}>
        {(found) => (
          <DayChart days={usageByDay(found, scope.days, meanPriceOf(found))} today={scope.today} agentId={agentId} />
        )}
      </QueryState>
      <h2 className="px-5 pt-5 pb-1 text-sm font-medium">By version</h2>
      <VersionFigures label="Usage by version" versions={rows.map((row) => ({ name: `v${row.version}`, row }))} />
    </>
  );
}
