import Link from "next/link";
import { Fragment } from "react";
import { ScrollArea } from "@/components/ui/scroll-area";
import { Table } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import {
  CELLS,
  figureText,
  rangeText,
  shareText,
  totalText,
  verdictOf,
  WHY_LABELS,
  waitingRuns,
} from "@/lib/client/trace/replay/replay-labels";
import { openRuns } from "@/lib/client/trace/replay/replay-queries";
import { classNames } from "@/lib/client/ui/class-names";
import type { Replay, ReplayCell, ReplayRow, ReplayRun, ReplayTotal, ReplayWhy } from "@/lib/schema/traces/replay";
import { RunColumns } from "./run-columns";

/** A sentence of verdict, then every call across the recording, the unchanged and the changed runs. */
export function ReplayView({ replay }: { replay: Replay }) {
  const verdict = verdictOf(replay);
  return (
    <>
      <section aria-label="Verdict" className="shrink-0 border-b border-border px-5 py-3 max-md:px-4">
        <p role="status" className="text-base font-semibold">
          {verdict.title}
        </p>
        <p className="text-sm text-muted">
          {verdict.detail}{" "}
          {waitingRuns(replay) === 0 ? null : (
            <Link href="/inbox" className="text-link underline underline-offset-2">
              Open the inbox
            </Link>
          )}
        </p>
        {replay.changes.length === 0 ? null : (
          <p className="mt-2 flex flex-wrap gap-1.5">
            {replay.changes.map((change) => (
              <Tag key={change}>{change}</Tag>
            ))}
          </p>
        )}
      </section>
      <ScrollArea label="Calls" className="min-h-0 flex-1">
        <ReplayTable replay={replay} />
        <Legend />
      </ScrollArea>
    </>
  );
}

function ReplayTable({ replay }: { replay: Replay }) {
  const { runs, control, isUnchanged, rows, totals, fromStep, runId } = replay;
  const [unchanged, changed]: [readonly ReplayRun[], readonly ReplayRun[]] = isUnchanged
    ? [runs, []]
    : [control?.runs ?? [], runs];
  const columns = 3 + (isUnchanged ? 1 : 2);
  const before = fromStep === 1 ? null : fromStep === 2 ? "Step 1" : `Steps 1 to ${fromStep - 1}`;
  return (
    <Table label="Calls of the recording and of all runs" className="min-w-180">
      <thead>
        <tr>
          <Head>Call</Head>
          <Head>Recorded</Head>
          <Head>
            Unchanged <RunColumns runId={runId} runs={unchanged} />
          </Head>
          {isUnchanged ? null : (
            <Head>
              Changed <RunColumns runId={runId} runs={changed} />
            </Head>
          )}
          <Head>Why it differs</Head>
        </tr>
      </thead>
      <tbody>
        {before === null ? null : <Band columns={columns}>{before}, taken from the recording</Band>}
        {bandsOf(rows).map(({ name, keyed }) => (
          <Fragment key={name}>
            <Band columns={columns}>{name}</Band>
            {keyed.map(([key, row]) => (
              <Row key={key} row={row} isUnchanged={isUnchanged} />
            ))}
          </Fragment>
        ))}
        {openRuns(replay) > 0 ? null : <Band columns={columns}>Totals</Band>}
        {openRuns(replay) > 0
          ? null
          : totals.map((total) => (
              <tr key={total.what} className="h-8">
                <Cell>{totalText(total)}</Cell>
                <Cell className="tnum text-muted">{figureText(total.what, total.recorded)}</Cell>
                <Cell className="tnum">{rangeText(total, total.unchanged)}</Cell>
                {isUnchanged ? null : <Cell className="tnum">{rangeText(total, total.changed)}</Cell>}
                <Cell>{isUnchanged ? "" : <Why why={total.why} words={rangeReason(total)} />}</Cell>
              </tr>
            ))}
      </tbody>
    </Table>
  );
}

/** The rows under what stands above them, each with its place there. */
function bandsOf(rows: readonly ReplayRow[]) {
  const bands = Map.groupBy(rows, ({ kind, step }) => (kind === "answer" ? "End" : `Step ${step}`));
  return [...bands].map(([name, own]) => ({ name, keyed: [...own.entries()] }));
}

function rangeReason({ why, unchanged, changed }: ReplayTotal): string {
  if (why === "change") return "ranges apart";
  if (why === "same" || unchanged === null || changed === null) return "";
  return unchanged.to < changed.from || changed.to < unchanged.from ? "too few runs" : "ranges overlap";
}

function Row({ row, isUnchanged }: { row: ReplayRow; isUnchanged: boolean }) {
  return (
    <tr className="h-8">
      <Cell className={classNames("border-l-3", EDGES[row.why])}>
        {row.kind === "answer" ? (
          <span className="font-medium">Answer</span>
        ) : (
          <span className="block max-w-90 truncate font-mono text-xs">
            {row.tool} <span className="text-muted">{row.gist}</span>
          </span>
        )}
      </Cell>
      <Cell className="text-muted">{recordedText(row)}</Cell>
      <Cell>{row.unchanged.length === 0 ? <NoControl /> : <Cells of="Unchanged" cells={row.unchanged} />}</Cell>
      {isUnchanged ? null : (
        <Cell>
          <Cells of="Changed" cells={row.changed} />
        </Cell>
      )}
      <Cell>
        <Why why={row.why} words={row.why === "same" ? "" : shareText(row)} />
      </Cell>
    </tr>
  );
}

function recordedText({ kind, isRecorded }: ReplayRow): string {
  if (kind === "answer") return "text";
  return isRecorded ? "1 call" : "no call";
}

function NoControl() {
  return <span className="text-xs text-muted">no control</span>;
}

const EDGES: Readonly<Record<ReplayWhy, string>> = {
  same: "border-l-transparent",
  change: "border-l-foreground",
  chance: "border-l-border-strong [border-left-style:dotted]",
  unknown: "border-l-transparent",
};

const FRAMES: Readonly<Record<ReplayCell, string>> = {
  same: "text-muted",
  differs: "border border-foreground font-semibold",
  missing: "border border-dashed border-border-strong",
  new: "border border-foreground font-semibold",
  absent: "",
  open: "",
};

function Cells({ of, cells }: { of: string; cells: readonly ReplayCell[] }) {
  return (
    <ol className="flex gap-2">
      {[...cells.entries()].map(([index, cell]) => (
        <li
          key={index}
          title={`${of} ${index + 1}: ${CELLS[cell].words}`}
          className={classNames("flex h-5 w-6 items-center justify-center rounded-sm font-mono text-xs", FRAMES[cell])}
        >
          <span aria-hidden="true">{CELLS[cell].sign}</span>
          <span className="sr-only">{CELLS[cell].words}</span>
        </li>
      ))}
    </ol>
  );
}

const WHY_SIGNS: Readonly<Record<ReplayWhy, string>> = {
  same: "",
  change: "bg-foreground",
  chance: "rounded-full border border-dotted border-foreground",
  unknown: "border border-foreground [background:linear-gradient(90deg,var(--foreground)_50%,transparent_50%)]",
};

function Why({ why, words }: { why: ReplayWhy; words: string }) {
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      {why === "same" ? (
        <span aria-hidden="true" className="w-2.5 font-mono text-xs text-muted">
          =
        </span>
      ) : (
        <span aria-hidden="true" className={classNames("size-2.5 shrink-0 rounded-[2px]", WHY_SIGNS[why])} />
      )}
      <span className={why === "change" ? "font-semibold" : "text-muted"}>{WHY_LABELS[why]}</span>
      {words === "" ? null : <span className="tnum text-xs text-muted">{words}</span>}
    </span>
  );
}

function Head({ children }: { children: React.ReactNode }) {
  return (
    <th
      scope="col"
      className="sticky top-0 z-1 h-10 border-b border-border bg-surface px-2.5 text-left text-xs font-normal whitespace-nowrap text-muted first:pl-4 last:pr-4"
    >
      {children}
    </th>
  );
}

function Cell({ children, className }: { children: React.ReactNode; className?: string }) {
  return <td className={classNames("border-b border-border px-2.5 first:pl-4 last:pr-4", className)}>{children}</td>;
}

function Band({ columns, children }: { columns: number; children: React.ReactNode }) {
  return (
    <tr>
      <th
        scope="rowgroup"
        colSpan={columns}
        className="tnum h-7 border-b border-border bg-default px-4 text-left text-xs font-medium"
      >
        {children}
      </th>
    </tr>
  );
}

const LEGEND: readonly (readonly [ReplayWhy, string])[] = [
  ["same", "asked for and answered alike"],
  ["change", "in every changed run, in no unchanged one"],
  ["chance", "in the unchanged runs as well"],
  ["unknown", "too few runs to say"],
];

function Legend() {
  return (
    <ul aria-label="Signs" className="flex flex-wrap gap-x-6 gap-y-1 px-4 py-3 text-xs">
      {LEGEND.map(([why, words]) => (
        <li key={why}>
          <Why why={why} words={words} />
        </li>
      ))}
    </ul>
  );
}
