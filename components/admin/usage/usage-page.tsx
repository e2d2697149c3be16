"use client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { Select } from "@/components/ui/controls/select";
import { QueryState } from "@/components/ui/states/query-state";
import { SkeletonList } from "@/components/ui/states/skeleton";
import { EmptyState } from "@/components/ui/states/state-block";
import { formatCount } from "@/lib/client/ui/text/format";
import { meanPriceOf, totalOf, usageByDay } from "@/lib/client/usage/usage-days";
import { usageQuery, usageUrl } from "@/lib/client/usage/usage-queries";
import { USAGE_GROUPS, USAGE_PERIODS, type UsageView, useUsageView } from "@/lib/client/usage/use-usage-view";
import type { UsageReport, UsageRow } from "@/lib/schema/usage/usage-report";
import { BudgetPanel } from "./budget-panel";
import { DayChart } from "./day-chart";
import { UnpricedNotice } from "./unpriced-notice";
import { UsageSummary } from "./usage-summary";
import { UsageTable } from "./usage-table";

/** Usage in a period: facts, costs by day, one row per agent or per chosen dimension. */
export function UsagePage() {
  const view = useUsageView();
  const { url, setUrl, scope } = view;
  return (
    <Page>
      <PageHead
        title="Usage"
        facts={scope ? <span className="text-xs text-muted max-md:hidden">days in {scope.timezone}</span> : null}
        hasWideActions
        actions={
          <>
            <Select
              look="bare"
              label="Period"
              options={USAGE_PERIODS.map(({ id, name }) => ({ id, name }))}
              value={url.period}
              onChange={(id) => void setUrl({ period: USAGE_PERIODS.find((period) => period.id === id)?.id ?? null })}
            />
            <Select
              look="bare"
              label="Shown by"
              options={USAGE_GROUPS.map(({ id, name }) => ({ id, name }))}
              value={url.by}
              onChange={(id) => void setUrl({ by: USAGE_GROUPS.find((group) => group.id === id)?.id ?? null })}
            />
            {scope ? <CsvLink view={view} /> : null}
          </>
        }
      />
      <div className="flex min-h-0 flex-1 max-xl:block max-xl:overflow-auto">
        <div className="min-w-0 flex-1 overflow-auto">
          {scope ? (
            <Usage view={view} scope={scope} />
          ) : (
            <SkeletonList label="Loading usage" rows={8} className="p-2" />
          )}
        </div>
        <BudgetPanel />
      </div>
    </Page>
  );
}

type Scope = NonNullable<UsageView["scope"]>;

function CsvLink({ view: { url, scope } }: { view: UsageView }) {
  if (scope === null) return null;
  const { from, to, timezone } = scope;
  return (
    <a
      href={usageUrl({ from, to, timezone, by: ["day", url.by] }, "csv")}
      download
      className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-border-strong bg-surface px-2.5 text-xs font-medium touch-row hover:bg-default"
    >
      <Download className="size-[15px]" aria-hidden />
      CSV
    </a>
  );
}

function Usage({ view, scope }: { view: UsageView; scope: Scope }) {
  const { from, to, timezone, before } = scope;
  const usage = useQuery(usageQuery({ from, to, timezone, by: ["day", view.url.by] }));
  // A run of a person in two groups counts in both rows: days and the total count it once.
  const isByGroup = view.url.by === "group";
  const once = useQuery({ ...usageQuery({ from, to, timezone, by: ["day"] }), enabled: isByGroup });
  const earlier = useQuery(usageQuery({ ...before, timezone, by: ["day"] }));
  return (
    <QueryState what="usage" query={usage}>
      {(report) =>
        report.total.runs === 0 ? (
          <EmptyState title="Nothing was used">
            No run began in these days. Choose a longer period, or start a run.
          </EmptyState>
        ) : (
          <Report
            {...{ report, view, scope }}
            rows={isByGroup ? (once.data?.rows ?? []) : report.rows}
            runsBefore={earlier.data?.total.runs ?? null}
          />
        )
      }
    </QueryState>
  );
}

interface ReportProps {
  report: UsageReport;
  view: UsageView;
  scope: Scope;
  /** Each run once. */
  rows: readonly UsageRow[];
  /** In the previous period; null while unknown. */
  runsBefore: number | null;
}

function Report({ report, view, scope, rows, runsBefore }: ReportProps) {
  const meanPrice = meanPriceOf(rows);
  const days = usageByDay(rows, scope.days, meanPrice);
  return (
    <>
      <UsageSummary total={report.total} runsBefore={runsBefore} />
      <DayChart days={days} today={scope.today} />
      <UsageTable
        {...{ report, meanPrice }}
        by={view.url.by}
        days={scope.days}
        today={scope.today}
        total={totalOf(rows)}
      />
      {view.url.by === "group" ? (
        <p className="px-5 py-2 text-xs text-muted">
          The runs of a person who is in two groups count in both rows, and once in the sum. Groups are those of today.
        </p>
      ) : null}
      <PartialRuns count={report.total.partialRuns} />
      {report.total.unpricedTokens > 0 ? <UnpricedNotice scope={scope} tokens={report.total.unpricedTokens} /> : null}
    </>
  );
}

function PartialRuns({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="px-5 py-2 text-xs text-muted">
      {count === 1 ? "1 run has" : `${formatCount(count)} runs have`} calls that were cut off. They count with what was
      sent, as far as that is known.
    </p>
  );
}
