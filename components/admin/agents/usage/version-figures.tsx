import type { ReactNode } from "react";
import { costText } from "@/components/admin/usage/day-chart";
import { percent } from "@/components/admin/usage/usage-summary";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { formatCost, formatCount } from "@/lib/client/ui/text/format";
import { costOfRun, failureRate } from "@/lib/client/usage/agent-usage";
import { formatDuration } from "@/lib/schema/format-duration";
import type { UsageRow } from "@/lib/schema/usage/usage-report";

export interface VersionFiguresProps {
  label: string;
  /** Null if there are no runs that count: the note is shown instead. */
  versions: readonly { readonly name: string; readonly row: UsageRow | null; readonly note?: string }[];
}

const COLUMNS = [
  { id: "version", label: "Version", className: "w-full pl-5!" },
  { id: "runs", label: "Runs", align: "right" },
  { id: "failed", label: "Failed", align: "right" },
  { id: "p50", label: "Worked, p50", align: "right" },
  { id: "p95", label: "p95", align: "right", className: "max-sm:hidden" },
  { id: "cost", label: "Cost", align: "right", className: "max-sm:hidden" },
  { id: "a-run", label: "Cost a run", align: "right", className: "pr-5!" },
] as const;

/** The versions' figures: one row each, "too few" if a rate would say nothing. */
export function VersionFigures({ label, versions }: VersionFiguresProps) {
  return (
    <div className="overflow-x-auto">
      <Table label={label}>
        <TableHead columns={COLUMNS} />
        <tbody>
          {versions.map(({ name, row, note = "no runs" }) => (
            <TableRow key={name}>
              <TableCell className="pl-5! font-medium">{name}</TableCell>
              {row === null ? <NoRuns>{note}</NoRuns> : <Figures row={row} />}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function NoRuns({ children }: { children: ReactNode }) {
  return (
    <>
      <TableCell align="right" className="text-muted">
        {children}
      </TableCell>
      <TableCell />
      <TableCell />
      <TableCell className="max-sm:hidden" />
      <TableCell className="max-sm:hidden" />
      <TableCell className="pr-5!" />
    </>
  );
}

function Figures({ row }: { row: UsageRow }) {
  const rate = failureRate(row);
  return (
    <>
      <TableCell align="right">{formatCount(row.runs)}</TableCell>
      <TableCell align="right">
        {rate === null ? (
          <span className="text-muted" title={`${formatCount(row.failed)} of ${formatCount(row.runs)} failed`}>
            too few
          </span>
        ) : (
          percent(rate)
        )}
      </TableCell>
      <TableCell align="right">{duration(row.p50Ms)}</TableCell>
      <TableCell align="right" className="max-sm:hidden">
        {duration(row.p95Ms)}
      </TableCell>
      <TableCell align="right" className="max-sm:hidden">
        {costText(row.knownCostUsd, row.costUsd === null)}
      </TableCell>
      <TableCell align="right" className="pr-5!">
        {formatCost(costOfRun(row))}
      </TableCell>
    </>
  );
}

function duration(durationMs: number | null): string {
  return durationMs === null ? "none has ended" : formatDuration(durationMs);
}
