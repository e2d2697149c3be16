"use client";
import Link from "next/link";
import { useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCount, formatMoney, formatTokens } from "@/lib/client/ui/text/format";
import { scaleLines, type UsageDay } from "@/lib/client/usage/usage-days";

const HEIGHT_PX = 196;

const COLUMNS = [
  { id: "day", label: "Day", className: "w-full" },
  { id: "runs", label: "Runs", align: "right" },
  { id: "tokens", label: "Tokens", align: "right" },
  { id: "cost", label: "Cost", align: "right" },
] as const;

interface DayChartProps {
  days: readonly UsageDay[];
  today: string;
  /** Set if the days are one agent's: the linked traces are then its own too. */
  agentId?: string;
}

/**
 * Costs by day: known ones grey, today's ink, unknown ones as a dashed outline at the mean price. A bar opens its day's
 * traces.
 */
export function DayChart({ days, today, agentId }: DayChartProps) {
  const [isTable, setTable] = useState(false);
  return (
    <section aria-label="Cost by day" className="px-5 pt-3">
      <header className="flex h-7 items-center gap-4">
        <h2 className="text-sm font-semibold">Cost by day</h2>
        <span className="flex-1" />
        <span aria-hidden="true" className="flex items-center gap-3 text-xs text-muted max-sm:hidden">
          <span className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs bg-halted" /> dollars
          </span>
          <span className="flex items-center gap-1.5">
            <span className="size-2.5 rounded-xs border border-dashed border-muted" /> price unknown, drawn at the mean
            price
          </span>
        </span>
        <Button variant="ghost" aria-pressed={isTable} onPress={() => setTable(!isTable)}>
          {isTable ? "Show bars" : "Show table"}
        </Button>
      </header>
      {isTable ? <DayTable days={days} agentId={agentId} /> : <Bars days={days} today={today} agentId={agentId} />}
    </section>
  );
}

function tracesOf(day: string, agentId: string | undefined): string {
  return `/traces?day=${day}${agentId === undefined ? "" : `&agent=${encodeURIComponent(agentId)}`}`;
}

function Bars({ days, today, agentId }: DayChartProps) {
  const most = Math.max(...days.map(({ knownUsd, unknownUsd }) => knownUsd + unknownUsd));
  const lines = scaleLines(most);
  const top = Math.max(most, lines.at(-1) ?? 0) || 1;
  const height = (usd: number) => `${(usd / top) * 100}%`;
  return (
    <div className="mt-2 flex gap-2">
      <div className="min-w-0 flex-1">
        <div className="relative border-b border-border-strong" style={{ height: HEIGHT_PX }}>
          {lines.map((line) => (
            <span
              key={line}
              aria-hidden="true"
              className="absolute inset-x-0 border-t border-separator"
              style={{ bottom: height(line) }}
            />
          ))}
          {most > 0 ? null : (
            <p className="absolute inset-x-0 top-0 text-xs text-muted">
              {days.some(({ unpricedTokens }) => unpricedTokens > 0)
                ? "No bar can be drawn: the prices of the models that were used are unknown."
                : "Nothing was spent in these days."}
            </p>
          )}
          <ol className="absolute inset-0 flex items-end gap-px sm:gap-1">
            {days.map((day) => (
              <li key={day.day} className="h-full min-w-0 flex-1">
                <Link
                  href={tracesOf(day.day, agentId)}
                  prefetch={false}
                  // Too narrow to aim at; the table has the same links.
                  tabIndex={-1}
                  aria-label={`${dayName(day.day)}: ${wordsOf(day)}`}
                  title={`${dayName(day.day)}: ${wordsOf(day)}`}
                  className={classNames(
                    "flex h-full flex-col justify-end hover:bg-default focus-visible:ring-2 focus-visible:ring-focus",
                    day.day === today && "bg-live-soft",
                  )}
                >
                  {day.unknownUsd > 0 ? (
                    <span
                      className="block min-h-[3px] border border-b-0 border-dashed border-muted"
                      style={{ height: height(day.unknownUsd) }}
                    />
                  ) : null}
                  <span
                    className={classNames("block", day.day === today ? "bg-foreground" : "bg-halted")}
                    style={{ height: height(day.knownUsd) }}
                  />
                </Link>
              </li>
            ))}
          </ol>
        </div>
        <div aria-hidden="true" className="tnum flex justify-between pt-1 text-2xs text-muted">
          <span>{shortDay(days[0]?.day)}</span>
          <span>{shortDay(days[Math.floor(days.length / 2)]?.day)}</span>
          <span>today</span>
        </div>
      </div>
      <div aria-hidden="true" className="relative w-14 shrink-0" style={{ height: HEIGHT_PX }}>
        {lines.map((line) => (
          <span
            key={line}
            className="tnum absolute left-0 translate-y-1/2 text-2xs text-muted"
            style={{ bottom: height(line) }}
          >
            {formatMoney(line)}
          </span>
        ))}
      </div>
    </div>
  );
}

function DayTable({ days, agentId }: Pick<DayChartProps, "days" | "agentId">) {
  return (
    <Table label="Cost by day" className="mt-2">
      <TableHead columns={COLUMNS} />
      <tbody>
        {days.toReversed().map((day) => (
          <TableRow key={day.day}>
            <TableCell>
              <Link href={tracesOf(day.day, agentId)} prefetch={false} className="hover:underline">
                {dayName(day.day)}
              </Link>
            </TableCell>
            <TableCell align="right">{formatCount(day.runs)}</TableCell>
            <TableCell align="right">{formatTokens(day.tokens)}</TableCell>
            <TableCell align="right">{costText(day.knownUsd, day.unpricedTokens > 0)}</TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function wordsOf({ knownUsd, unpricedTokens, runs }: UsageDay): string {
  return `${costText(knownUsd, unpricedTokens > 0)}, ${formatCount(runs)} ${runs === 1 ? "run" : "runs"}`;
}

/** "$12.40", "$12.40 + unknown", "unknown". */
export function costText(knownUsd: number, hasUnknown: boolean): string {
  if (!hasUnknown) return formatMoney(knownUsd);
  return knownUsd > 0 ? `${formatMoney(knownUsd)} + unknown` : "unknown";
}

function dayName(day: string): string {
  const date = new Date(`${day}T12:00:00`);
  return date.toLocaleDateString("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric" });
}

function shortDay(day: string | undefined): string {
  if (day === undefined) return "";
  return new Date(`${day}T12:00:00`).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}
