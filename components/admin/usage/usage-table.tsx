import Link from "next/link";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { ORIGIN_LABELS } from "@/lib/client/trace/origin-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatCount, formatTokens } from "@/lib/client/ui/text/format";
import { totalOf, type UsageDay, type UsageTotal, usageByDay } from "@/lib/client/usage/usage-days";
import { USAGE_GROUPS } from "@/lib/client/usage/use-usage-view";
import type { UsageReport, UsageRow } from "@/lib/schema/usage/usage-report";
import { costText } from "./day-chart";
import { percent } from "./usage-summary";

type Group = (typeof USAGE_GROUPS)[number]["id"];

export interface UsageTableProps {
  report: UsageReport;
  by: Group;
  days: readonly string[];
  today: string;
  meanPrice: number;
  /** Of all rows; a run may count in several. */
  total: UsageTotal;
}

/** The failure rate from which the figure is red. */
const MANY_FAILED = 0.05;

/** One row of 44 px per agent, or per chosen dimension, with its own bars; the most expensive first, the sum last. */
export function UsageTable({ report, by, days, today, meanPrice, total: all }: UsageTableProps) {
  const groups = [...Map.groupBy(report.rows, (row) => String(row[by] ?? ""))]
    .map(([id, rows]) => ({ id, rows, total: totalOf(rows) }))
    .sort(
      (left, right) => right.total.knownCostUsd - left.total.knownCostUsd || right.total.tokens - left.total.tokens,
    );
  return (
    <div className="mt-4 overflow-x-auto">
      <Table label={`Usage by ${wordOf(by).toLowerCase()}`} className="[&_td]:h-11">
        <TableHead columns={columnsFor(by)} />
        <tbody>
          {groups.map(({ id, rows, total }) => (
            <TableRow key={id}>
              <TableCell className="max-w-56 truncate pl-5 font-medium">{nameOf(by, rows[0])}</TableCell>
              <TableCell className="max-md:hidden">
                <SmallBars days={usageByDay(rows, days, meanPrice)} today={today} agent={by === "agent" ? id : null} />
              </TableCell>
              <Figures total={total} />
            </TableRow>
          ))}
          <TableRow className="font-medium">
            <TableCell className="pl-5">All</TableCell>
            <TableCell className="max-md:hidden" />
            <Figures total={all} />
          </TableRow>
        </tbody>
      </Table>
    </div>
  );
}

function Figures({ total }: { total: ReturnType<typeof totalOf> }) {
  const { runs, failed, tokens, knownCostUsd, hasUnknown } = total;
  const aRun = hasUnknown && knownCostUsd === 0 ? null : knownCostUsd / runs;
  return (
    <>
      <TableCell align="right">{formatCount(runs)}</TableCell>
      <TableCell align="right" className="text-muted max-sm:hidden">
        {formatTokens(tokens)}
      </TableCell>
      <TableCell align="right">{costText(knownCostUsd, hasUnknown)}</TableCell>
      <TableCell align="right" className="max-sm:hidden">
        {formatCost(aRun)}
      </TableCell>
      <TableCell
        align="right"
        className={classNames("pr-5", failed / runs > MANY_FAILED ? "text-fail-text" : "text-muted")}
      >
        {percent(failed / runs)}
      </TableCell>
    </>
  );
}

/** Decorative if they link nowhere: the numbers are next to them, and the chart above has a table. */
function SmallBars({ days, today, agent }: { days: readonly UsageDay[]; today: string; agent: string | null }) {
  const most = Math.max(...days.map(({ knownUsd, unknownUsd }) => knownUsd + unknownUsd)) || 1;
  const height = (usd: number) => `${(usd / most) * 100}%`;
  const bars = days.map(({ day, knownUsd, unknownUsd }) => {
    const inner = (
      <>
        {unknownUsd > 0 ? (
          <span className="block border border-b-0 border-dashed border-muted" style={{ height: height(unknownUsd) }} />
        ) : null}
        <span
          className={classNames("block", day === today ? "bg-foreground" : "bg-halted")}
          style={{ height: height(knownUsd) }}
        />
      </>
    );
    const look = "flex h-6 w-[5px] flex-col justify-end";
    if (agent === null) {
      return (
        <span key={day} className={look}>
          {inner}
        </span>
      );
    }
    const href = `/traces?day=${day}&agent=${encodeURIComponent(agent)}`;
    return (
      <Link key={day} href={href} tabIndex={-1} prefetch={false} title={day} className={look}>
        {inner}
      </Link>
    );
  });
  return (
    <span aria-hidden="true" className="flex items-end gap-px">
      {bars}
    </span>
  );
}

function columnsFor(by: Group) {
  return [
    { id: "name", label: wordOf(by), className: "w-full pl-5" },
    { id: "days", label: "Cost by day", className: "max-md:hidden" },
    { id: "runs", label: "Runs", align: "right" },
    { id: "tokens", label: "Tokens", align: "right", className: "max-sm:hidden" },
    { id: "cost", label: "Cost", align: "right" },
    { id: "a-run", label: "A run", align: "right", className: "max-sm:hidden" },
    { id: "failed", label: "Failed", align: "right", className: "pr-5" },
  ] as const;
}

function wordOf(by: Group): string {
  return USAGE_GROUPS.find(({ id }) => id === by)?.word ?? by;
}

function nameOf(by: Group, row: UsageRow | undefined): string {
  if (by === "agent") return row?.agentName ?? "";
  if (by === "user") return row?.userName ?? "";
  if (by === "group") return row?.groupName ?? "in no group";
  if (by === "key") return row?.keyName ?? "no key: in the browser";
  if (by === "origin") return row?.origin === undefined ? "" : ORIGIN_LABELS[row.origin];
  if (by === "model") return row?.model ?? "none was asked";
  return String(row?.version ?? "");
}
