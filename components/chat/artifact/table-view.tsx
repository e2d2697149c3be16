"use client";
import { useMemo, useState } from "react";
import { Segments } from "@/components/ui/controls/segments";
import { Select } from "@/components/ui/controls/select";
import { ScrollArea } from "@/components/ui/scroll-area";
import { cellNumber, numberColumns, type ParsedTable, parseTable } from "@/lib/client/files/artifact/parse-table";
import { placed } from "@/lib/client/ui/markdown/markdown";
import { formatCount } from "@/lib/client/ui/text/format";

/** Comma-separated values as a table, and a column of numbers as a chart. */
export function TableView({ text, isTabbed }: { text: string; isTabbed: boolean }) {
  const table = useMemo(() => parseTable(text, isTabbed), [text, isTabbed]);
  const numeric = useMemo(() => numberColumns(table), [table]);
  const [view, setView] = useState("table");
  const [column, setColumn] = useState<number | null>(null);
  const charted = column ?? numeric.at(-1) ?? null;
  if (table.rows.length === 0) return <p className="p-4 text-sm text-muted">The table has no rows.</p>;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {charted === null ? null : (
        <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-separator px-3 py-1">
          <Segments
            label="Table or chart"
            options={[
              { id: "table", name: "Rows" },
              { id: "chart", name: "Chart" },
            ]}
            value={view}
            onChange={setView}
          />
          {view === "chart" && numeric.length > 1 ? (
            <Select
              label="Column"
              look="bare"
              value={String(charted)}
              options={numeric.map((place) => ({ id: String(place), name: nameOf(table, place) }))}
              onChange={(id) => setColumn(Number(id))}
            />
          ) : null}
          <span className="tnum ml-auto text-xs text-muted">
            {formatCount(table.rows.length + table.omitted)} rows, {formatCount(table.head.length)} columns
          </span>
        </div>
      )}
      {view === "chart" && charted !== null ? (
        <Chart table={table} column={charted} labels={labelColumn(table, numeric)} />
      ) : (
        <Rows table={table} numeric={numeric} />
      )}
    </div>
  );
}

function nameOf({ head }: ParsedTable, column: number): string {
  return head[column]?.trim() || `Column ${column + 1}`;
}

/** The first text column. */
function labelColumn({ head }: ParsedTable, numeric: readonly number[]): number | null {
  const column = head.findIndex((_name, place) => !numeric.includes(place));
  return column === -1 ? null : column;
}

function Rows({ table, numeric }: { table: ParsedTable; numeric: readonly number[] }) {
  const align = (place: number) => (numeric.includes(place) ? "text-end" : "text-start");
  return (
    <ScrollArea label="Rows of the table" className="min-h-0 flex-1">
      <table className="w-max min-w-full border-collapse text-sm">
        <thead className="sticky top-0 bg-background">
          <tr>
            {placed(table.head).map(({ place }) => (
              <th
                key={place}
                scope="col"
                className={`h-8 border-b border-border px-3 text-xs font-medium text-muted ${align(place)}`}
              >
                {nameOf(table, place)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {placed(table.rows).map(({ place: row, item }) => (
            <tr key={row} className="border-b border-separator">
              {placed(table.head).map(({ place }) => (
                <td key={place} dir="auto" className={`tnum max-w-96 px-3 py-1 break-words ${align(place)}`}>
                  {item[place] ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.omitted === 0 ? null : (
        <p className="p-3 text-xs text-muted">
          {formatCount(table.omitted)} more rows are not shown. Download the file.
        </p>
      )}
    </ScrollArea>
  );
}

/** Bars side by side; more values than this are drawn as a line. */
const MOST_BARS = 60;
const SIZE = { width: 640, height: 320, left: 56, right: 12, top: 16, bottom: 40 };

function Chart({ table, column, labels }: { table: ParsedTable; column: number; labels: number | null }) {
  const points = table.rows.flatMap((row, place) => {
    const value = cellNumber(row[column] ?? "");
    return value === null ? [] : [{ value, label: labels === null ? String(place + 1) : (row[labels] ?? "") }];
  });
  const values = points.map(({ value }) => value);
  const least = values.reduce((before, value) => Math.min(before, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((before, value) => Math.max(before, value), Number.NEGATIVE_INFINITY);
  const low = Math.min(least, 0);
  const high = Math.max(most, 0);
  const name = nameOf(table, column);
  const { width, height, left, right, top, bottom } = SIZE;
  const y = (value: number) => top + ((high - value) / (high - low || 1)) * (height - top - bottom);
  const slot = (width - left - right) / Math.max(1, points.length);
  const x = (place: number) => left + slot * (place + 0.5);
  const isBars = points.length <= MOST_BARS;
  const every = Math.ceil(points.length / 12);
  return (
    <ScrollArea label={`Chart of ${name}`} className="min-h-0 flex-1 p-3">
      <svg
        role="img"
        aria-label={`${name}: ${formatCount(points.length)} values from ${formatCount(least)} to ${formatCount(most)}`}
        viewBox={`0 0 ${width} ${height}`}
        className="w-full max-w-[960px] min-w-[36rem] text-2xs"
      >
        {[high, (high + low) / 2, low].map((value) => (
          <g key={value}>
            <line x1={left} x2={width - right} y1={y(value)} y2={y(value)} stroke="var(--separator)" />
            <text x={left - 6} y={y(value) + 4} textAnchor="end" fill="var(--muted)">
              {formatCount(Math.round(value * 100) / 100)}
            </text>
          </g>
        ))}
        {isBars ? (
          placed(points).map(({ place, item }) => (
            <rect
              key={place}
              x={x(place) - slot * 0.4}
              width={slot * 0.8}
              y={Math.min(y(item.value), y(0))}
              height={Math.max(1, Math.abs(y(item.value) - y(0)))}
              fill="var(--accent)"
            >
              <title>{`${item.label}: ${item.value}`}</title>
            </rect>
          ))
        ) : (
          <polyline
            fill="none"
            stroke="var(--accent)"
            strokeWidth={1.5}
            points={points.map(({ value }, place) => `${x(place)},${y(value)}`).join(" ")}
          />
        )}
        <line x1={left} x2={width - right} y1={y(0)} y2={y(0)} stroke="var(--border-strong)" />
        {placed(points).map(({ place, item }) =>
          place % every === 0 ? (
            <text key={place} x={x(place)} y={height - bottom + 16} textAnchor="middle" fill="var(--muted)">
              {item.label.length > 10 ? `${item.label.slice(0, 9)}…` : item.label}
            </text>
          ) : null,
        )}
      </svg>
    </ScrollArea>
  );
}
