"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRef, useState } from "react";
import { ListCrumb } from "@/components/admin/list-crumb";
import { Page } from "@/components/shell/page";
import { PageHead } from "@/components/shell/page-head";
import { usePageKeys } from "@/components/shell/shell-context";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { dueText, SIGN_LABELS, signOf } from "@/lib/client/schedules/schedule-labels";
import { firingLogQuery } from "@/lib/client/schedules/schedule-queries";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { formatCost } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { LoggedFiring } from "@/lib/schema/triggers/firing";
import { FiringGlyph } from "./firing-strip";

const COLUMNS = [
  { id: "what", label: "What became of it" },
  { id: "schedule", label: "Schedule", className: "max-sm:px-1" },
  { id: "agent", label: "Agent", className: "max-md:hidden" },
  { id: "due", label: "Due", className: "max-sm:px-1" },
  { id: "why", label: "Why", className: "w-full max-lg:hidden" },
  { id: "cost", label: "Cost", className: "max-sm:hidden", align: "right" },
] as const;
const STATES = [
  { id: "any", name: "Everything" },
  { id: "problems", name: "Problems only" },
] as const;
const PAGE_KEYS = [
  { keys: "j k", does: "Next and previous due time" },
  { keys: "Enter", does: "Open its run" },
] as const;

/** Every due time of every schedule, including those that started nothing, and why. */
export function FiringLogPage() {
  const [state, setState] = useState<(typeof STATES)[number]["id"]>("any");
  const log = useInfiniteQuery(firingLogQuery(state === "any" ? undefined : state));
  const list = useRef<HTMLDivElement>(null);
  usePageKeys(PAGE_KEYS);
  useRowKeys(list);
  return (
    <Page>
      <PageHead lead={<ListCrumb href="/automations/schedules">Schedules</ListCrumb>} title="Log" />
      <div className="flex h-11 shrink-0 items-center gap-2 border-b border-border px-4 pointer-coarse:h-14 max-sm:px-2">
        <LazySelect
          label="What to show"
          options={STATES}
          value={state}
          onChange={(id) => setState(STATES.find((one) => one.id === id)?.id ?? "any")}
        />
      </div>
      <div ref={list} className="min-h-0 flex-1 overflow-auto">
        <QueryState what="log" query={log}>
          {(firings) =>
            firings.length === 0 ? (
              <EmptyState title={state === "any" ? "Nothing due yet" : "Everything went well"}>
                Each due time of a schedule is listed here for 90 days, even if it started nothing.
              </EmptyState>
            ) : (
              <>
                <Table label="Log of due times">
                  <TableHead columns={COLUMNS} />
                  <tbody>
                    {firings.map((firing) => (
                      <FiringRow key={firing.id} firing={firing} />
                    ))}
                  </tbody>
                </Table>
                <ShowMore query={log} className="p-4" />
              </>
            )
          }
        </QueryState>
      </div>
    </Page>
  );
}

function FiringRow({ firing }: { firing: LoggedFiring }) {
  const now = useHalfMinute();
  const { dueAt, timezone, scheduleName, agentName, reason, runId, costUsd, count } = firing;
  const sign = signOf(firing);
  const words = `${SIGN_LABELS[sign]}${count > 1 ? ` ${count} times` : ""}`;
  return (
    <TableRow>
      <TableCell className="max-sm:pr-1 max-sm:whitespace-normal">
        <span className="flex items-center gap-2">
          <span className="flex h-4 items-end">
            <FiringGlyph sign={sign} />
          </span>
          {words.charAt(0).toUpperCase() + words.slice(1)}
        </span>
      </TableCell>
      <TableCell className="max-w-56 truncate font-medium max-sm:w-full max-sm:max-w-0 max-sm:px-1">
        {runId === null ? (
          scheduleName
        ) : (
          <Link data-firing href={`/traces/${runId}`} className="rounded-sm hover:underline">
            {scheduleName}
          </Link>
        )}
      </TableCell>
      <TableCell className="text-muted max-md:hidden">{agentName}</TableCell>
      <TableCell className="tnum max-sm:px-1 max-sm:pr-3 max-sm:text-xs">
        <time dateTime={dueAt} title={timezone}>
          {now === null ? "" : dueText(dueAt, timezone, now)}
        </time>
      </TableCell>
      <TableCell className="max-w-0 truncate text-muted max-lg:hidden">
        <span title={reason ?? undefined}>{reason}</span>
      </TableCell>
      <TableCell align="right" className="tnum text-muted max-sm:hidden">
        {runId === null ? "" : formatCost(costUsd)}
      </TableCell>
    </TableRow>
  );
}
