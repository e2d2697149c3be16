import { Time } from "@/components/ui/time";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { Storage, StorageKind } from "@/lib/schema/settings/storage";

/** One shade of grey per kind, the darkest first; the table is the legend. */
export const KIND_GREYS: Readonly<Record<StorageKind, string>> = {
  traces: "bg-foreground",
  threads: "bg-foreground/75",
  deletedThreads: "bg-foreground/65",
  files: "bg-foreground/55",
  events: "bg-foreground/40",
  audit: "bg-foreground/25",
  other: "bg-foreground/15",
};

const MONTH_MS = 30 * 86_400_000;

/** The space used, the growth per day, how long the disk lasts; below it one bar in seven greys. */
export function StorageSummary({ storage }: { storage: Storage }) {
  const { totalBytes, perDayBytes, freeBytes, dataDirectory, database, measuredAt, connectionProblem, kinds } = storage;
  return (
    <section aria-label="Sizes" className="px-5 pt-4 pb-3 max-sm:px-4">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs text-muted">
        <span className="text-sm font-semibold text-foreground">
          {formatBytes(totalBytes)}{" "}
          {database === "sqlite" ? `in ${dataDirectory}` : "in Postgres and the data directory"}
        </span>
        <span>
          {perDayBytes > 0 ? `+${formatBytes(perDayBytes)} a day` : "nothing new this week"}
          {freeBytes === null ? "" : `; ${formatBytes(freeBytes)} free${lasts(freeBytes, perDayBytes)}`}
        </span>
        <span className="ml-auto max-sm:ml-0">
          measured <Time at={measuredAt} isInSentence />
        </span>
      </p>
      <div aria-hidden className="mt-2 flex h-2.5 gap-px overflow-hidden rounded-sm">
        {kinds.map(({ kind, bytes }) => (
          <span
            key={kind}
            className={`${KIND_GREYS[kind]} min-w-px`}
            style={{ width: `${totalBytes === 0 ? 0 : (100 * bytes) / totalBytes}%` }}
          />
        ))}
      </div>
      {connectionProblem !== null && <p className="mt-2 text-xs">{connectionProblem}</p>}
    </section>
  );
}

function lasts(freeBytes: number, perDayBytes: number): string {
  if (perDayBytes === 0) return "";
  const months = (freeBytes / perDayBytes) * (86_400_000 / MONTH_MS);
  if (months > 24) return ", enough for more than two years at this pace";
  return months < 1
    ? ", enough for less than a month at this pace"
    : `, enough for about ${Math.round(months)} months at this pace`;
}
