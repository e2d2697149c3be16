import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";

export interface TableProps {
  label: string;
  children: ReactNode;
  className?: string;
}

/**
 * Head 32 px, rows 34 px, lines below, no outer box. Put it inside the page's scrolling region: the head sticks there.
 */
export function Table({ label, children, className }: TableProps) {
  return (
    <table aria-label={label} className={classNames("w-full border-separate border-spacing-0 text-sm", className)}>
      {children}
    </table>
  );
}

export interface TableColumn {
  id: string;
  /** Visually hidden when `isLabelHidden`, still read aloud. */
  label: string;
  align?: "left" | "right";
  isLabelHidden?: boolean;
  /** What stands at the other end of the head, such as where a strip of time leads to. */
  end?: string;
  className?: string;
  /** The rows can be sorted by it, largest first unless `isAscending`. */
  sort?: { readonly isSorted: boolean; readonly isAscending?: boolean; onSort(): void };
}

export function TableHead({ columns }: { columns: readonly TableColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            aria-sort={sortOf(column)}
            className={classNames(
              "sticky top-0 z-1 h-8 border-b border-border bg-surface px-2.5 text-xs font-normal whitespace-nowrap text-muted first:pl-4 last:pr-4",
              column.align === "right" ? "text-right" : "text-left",
              column.className,
            )}
          >
            <ColumnLabel column={column} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

function sortOf({ sort }: TableColumn) {
  if (!sort?.isSorted) return undefined;
  return sort.isAscending ? "ascending" : "descending";
}

function ColumnLabel({ column: { label, isLabelHidden, end, sort } }: { column: TableColumn }) {
  if (isLabelHidden) return <span className="sr-only">{label}</span>;
  if (end !== undefined) {
    return (
      <span className="flex justify-between gap-3">
        {label}
        <span aria-hidden>{end}</span>
      </span>
    );
  }
  if (!sort) return label;
  return (
    <button
      type="button"
      onClick={sort.onSort}
      className={classNames("min-h-6 hover:text-foreground", sort.isSorted && "text-foreground")}
    >
      {label}
      <span aria-hidden className={classNames("pl-0.5", !sort.isSorted && "invisible")}>
        {sort.isAscending ? "↑" : "↓"}
      </span>
    </button>
  );
}

export interface TableRowProps {
  children: ReactNode;
  /** A 2 px edge: blue for running, brass for waiting for a person. */
  edge?: "live" | "signal";
  isSelected?: boolean;
  className?: string;
}

const EDGES = {
  live: "[&>td:first-child]:shadow-[inset_2px_0_0_var(--live)]",
  signal: "[&>td:first-child]:shadow-[inset_2px_0_0_var(--signal)]",
};

export function TableRow({ children, edge, isSelected = false, className }: TableRowProps) {
  return (
    <tr
      className={classNames(
        "group relative hover:bg-surface-secondary focus-within:bg-surface-secondary",
        isSelected && "bg-selection",
        edge && EDGES[edge],
        className,
      )}
    >
      {children}
    </tr>
  );
}

export interface TableCellProps {
  children?: ReactNode;
  align?: "left" | "right";
  className?: string;
}

export function TableCell({ children, align = "left", className }: TableCellProps) {
  return (
    <td
      className={classNames(
        "h-[34px] border-b border-separator px-2.5 whitespace-nowrap touch-row first:pl-4 last:pr-4",
        align === "right" && "tnum text-right",
        className,
      )}
    >
      {children}
    </td>
  );
}

export interface DurationBarProps {
  /** As a share of the longest. */
  share: number;
  /** The share spent waiting for a person, drawn as hatched brass at its end. */
  waitedShare?: number;
  tone?: "quiet" | "live" | "fail" | "limit";
}

/** Square-root scale, so that 12 s and 5 min can share a column. `tone` follows the state. */
export function DurationBar({ share, waitedShare = 0, tone = "quiet" }: DurationBarProps) {
  const tones = { quiet: "bg-border-strong", live: "bg-live", fail: "bg-fail", limit: "bg-limit" };
  const width = `${Math.min(100, Math.max(3, Math.sqrt(Math.max(0, share)) * 100))}%`;
  return (
    <span aria-hidden="true" className="block h-1.5 w-20">
      <span className={classNames("relative block h-full overflow-hidden rounded-xs", tones[tone])} style={{ width }}>
        {waitedShare > 0 ? (
          <span
            className="hatch absolute inset-y-0 right-0 bg-surface [--hatch:var(--signal)]"
            style={{ width: `${Math.min(1, waitedShare) * 100}%` }}
          />
        ) : null}
        {tone === "live" ? (
          <span className="absolute inset-y-0 left-0 w-1/4 animate-sweep bg-surface/60 motion-reduce:hidden" />
        ) : null}
      </span>
    </span>
  );
}
