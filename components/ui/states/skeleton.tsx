import { classNames } from "@/lib/client/ui/class-names";

const WIDTHS = [58, 41, 66, 35, 52, 47, 61, 38];

export interface SkeletonListProps {
  /** Read aloud by a screen reader: "Loading threads". */
  label: string;
  rows?: number;
  /** Height of a row in px: that of the list it replaces. */
  rowHeight?: number;
  hasGlyph?: boolean;
  className?: string;
}

/** The loading state keeps the shape of the list. */
export function SkeletonList({ label, rows = 6, rowHeight = 34, hasGlyph = true, className }: SkeletonListProps) {
  return (
    <div role="status" aria-label={label} className={classNames("divide-y divide-separator", className)}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <div key={row} className="flex items-center gap-3 px-2" style={{ height: rowHeight }}>
          {hasGlyph ? <span className="size-3.5 shrink-0 rounded-full bg-default" /> : null}
          <span className="h-2.5 rounded-xs bg-default" style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
          <span className="ml-auto h-2.5 w-10 shrink-0 rounded-xs bg-default" />
        </div>
      ))}
    </div>
  );
}

/** A placeholder of any shape. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classNames("block rounded-sm bg-default", className)} />;
}
