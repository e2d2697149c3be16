"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Plus } from "lucide-react";
import { Fragment, type ReactNode, useRef, useState } from "react";
import { AutomationHead } from "@/components/automations/automation-head";
import { Page } from "@/components/shell/page";
import { usePageKeys, useShell } from "@/components/shell/shell-context";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { ConfirmDialog } from "@/components/ui/overlays/dialog";
import { Menu } from "@/components/ui/overlays/menu";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { Table, TableHead } from "@/components/ui/table";
import { Count } from "@/components/ui/tag";
import { approvalsQuery } from "@/lib/client/chat/asks/decisions";
import { ALL_SCHEDULES, filterSchedules } from "@/lib/client/schedules/schedule-filters";
import { type FiringSign, groupOf, type ScheduleGroup, SIGN_LABELS } from "@/lib/client/schedules/schedule-labels";
import {
  deleteSchedule,
  runScheduleNow,
  schedulesQuery,
  updateSchedule,
} from "@/lib/client/schedules/schedule-queries";
import { SCHEDULE_TEMPLATES, type ScheduleTemplate, type TemplateId } from "@/lib/client/schedules/schedule-templates";
import { useRowKeys } from "@/lib/client/ui/input/use-row-keys";
import { formatMoney } from "@/lib/client/ui/text/format";
import { showToast } from "@/lib/client/ui/toast-store";
import { useAction } from "@/lib/client/ui/use-action";
import type { Approval } from "@/lib/schema/runs/interrupt";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { AskingLine } from "./asking-line";
import { FiringGlyph } from "./firing-strip";
import { ScheduleFilterBar } from "./schedule-filter-bar";
import { pageOf, type ScheduleActions, ScheduleRow } from "./schedule-row";

const NEW_PAGE = "/automations/schedules/new";
const TEMPLATES = Object.entries(SCHEDULE_TEMPLATES) as [TemplateId, ScheduleTemplate][];

const PAGE_KEYS = [
  { keys: "c", does: "New schedule" },
  { keys: "j k", does: "Next and previous schedule" },
  { keys: "Enter", does: "Edit the schedule" },
  { keys: "r", does: "Run now" },
  { keys: "p", does: "Pause or resume" },
  { keys: "y n", does: "Allow once, deny what waits" },
  { keys: "/", does: "Search" },
] as const;

const COLUMNS = [
  { id: "state", label: "State" },
  { id: "name", label: "Schedule", className: "w-full min-w-36 max-sm:min-w-24 max-sm:px-1" },
  { id: "agent", label: "Agent", className: "max-md:hidden" },
  { id: "when", label: "When", className: "max-lg:hidden" },
  { id: "next", label: "Next", className: "max-sm:px-1" },
  { id: "last", label: "Last run", className: "max-md:hidden" },
  { id: "month", label: "30-day cost", className: "max-xl:hidden", align: "right" },
  { id: "budget", label: "Budget today", className: "max-xl:hidden" },
  { id: "past", label: "Past 30", end: "now →", className: "max-lg:hidden" },
  { id: "actions", label: "Actions", isLabelHidden: true },
] as const;

const GROUPS: readonly ScheduleGroup[] = ["Waiting for you", "On", "Paused"];
const LEGEND: readonly FiringSign[] = ["ran", "tool-failed", "failed", "skipped", "missed", "late", "waits", "limit"];

/**
 * The actions of a row; every outcome is announced, and the list is refetched. What the row itself shows is only read
 * aloud: a toast would cover the button that undoes it.
 */
function useScheduleActions(edit: (schedule: Schedule) => void, askToDelete: (schedule: Schedule) => void) {
  const [said, setSaid] = useState("");
  const attempt = useAction({
    mutationFn: ({ work }: { work: () => Promise<unknown>; done: string; isSeen?: boolean }) => work(),
    onSuccess: (_, { done, isSeen = false }) => (isSeen ? setSaid(done) : void showToast({ title: done })),
    invalidates: [schedulesQuery.queryKey],
  });
  const actions: ScheduleActions = {
    onEdit: edit,
    onDelete: askToDelete,
    onRun: ({ id, name }) => attempt.mutate({ work: () => runScheduleNow(id), done: `Started “${name}”` }),
    onToggle: ({ id, name, enabled }) =>
      attempt.mutate({
        work: () => updateSchedule(id, { enabled: !enabled }),
        done: enabled ? `Paused “${name}”` : `Resumed “${name}”`,
        isSeen: true,
      }),
    onTakeOver: ({ id, name }) =>
      attempt.mutate({ work: () => updateSchedule(id, { ownerId: "me" }), done: `“${name}” is yours now` }),
  };
  const remove = ({ id, name }: Schedule) =>
    attempt.mutate({ work: () => deleteSchedule(id), done: `Deleted “${name}”` });
  return { actions, remove, said };
}

interface Keys {
  readonly schedules: readonly Schedule[];
  readonly actions: ScheduleActions;
  readonly onNew: () => void;
}

/** The list's keys: those of a row act on the focused one. */
function useScheduleKeys({ schedules, actions, onNew }: Keys) {
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const withFocused = (act: (schedule: Schedule) => void) => {
    const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-schedule]:not([disabled])");
    const schedule = schedules.find(({ id }) => id === row?.dataset.schedule);
    if (schedule) act(schedule);
  };
  usePageKeys(PAGE_KEYS);
  useRowKeys(list, {
    control: "[data-schedule]:not([disabled])",
    others: {
      c: onNew,
      r: () => withFocused(actions.onRun),
      p: () => withFocused(actions.onToggle),
      "/": () => field.current?.focus(),
    },
  });
  return { list, field };
}

/**
 * The first call that a run of the viewer's own schedules waits for; the others are answered after it, or in their
 * threads.
 */
function useAsking(schedules: readonly Schedule[]): { schedule: Schedule; ask: Approval } | null {
  const waiting = schedules.filter((schedule) => groupOf(schedule) === "Waiting for you");
  const { data } = useQuery({ ...approvalsQuery, enabled: waiting.length > 0 });
  for (const ask of data?.approvals ?? []) {
    if (ask.kind !== "approval" || ask.agentDeleted) continue;
    const schedule = waiting.find(({ firings }) => firings.some(({ runId }) => runId === ask.runId));
    if (schedule) return { schedule, ask };
  }
  return null;
}

/** Everything that starts automatically at set times: whether it is well, what it costs, what waits. */
export function SchedulesPage() {
  const { viewer, go } = useShell();
  const query = useQuery(schedulesQuery);
  const [filters, setFilters] = useState(ALL_SCHEDULES);
  const [deleted, setDeleted] = useState<Schedule | null>(null);
  const mayChange = viewer.scopes.includes("chat");
  const all = query.data ?? [];
  const { actions, remove, said } = useScheduleActions(({ id }) => go(pageOf(id)), setDeleted);
  const { list, field } = useScheduleKeys({
    schedules: all,
    actions,
    onNew: () => mayChange && go(NEW_PAGE),
  });
  const asking = useAsking(all);
  const shown = filterSchedules(all, filters, viewer.id);
  const add = mayChange ? <AddSchedule isFirst={all.length === 0} /> : null;
  return (
    <Page>
      <p role="status" className="sr-only">
        {said}
      </p>
      <AutomationHead
        current="schedules"
        count={query.data?.length}
        facts={<SpentToday schedules={all} />}
        actions={all.length === 0 ? null : add}
      />
      {all.length === 0 ? null : (
        <ScheduleFilterBar
          schedules={all}
          viewerId={viewer.id}
          filters={filters}
          onChange={setFilters}
          inputRef={field}
        />
      )}
      <div ref={list} className="min-h-0 flex-1 overflow-auto">
        <QueryState
          what="schedules"
          query={query}
          unharmed="They keep running."
          empty={
            <EmptyState title="No schedules yet" actions={add}>
              A schedule runs an agent at set times and brings you the result.
            </EmptyState>
          }
        />
        {all.length > 0 && shown.length === 0 ? (
          <p className="flex items-center gap-3 p-6 text-sm text-muted">
            No schedule matches{filters.search.trim() === "" ? " these filters" : ` “${filters.search}”`}.
            <Button onPress={() => setFilters(ALL_SCHEDULES)}>Clear filters</Button>
          </p>
        ) : null}
        {shown.length === 0 ? null : (
          <Table label="Schedules">
            <TableHead columns={COLUMNS} />
            {GROUPS.map((group) => (
              <GroupRows key={group} group={group} schedules={shown.filter((one) => groupOf(one) === group)}>
                {(schedule) => (
                  <Fragment key={schedule.id}>
                    <ScheduleRow
                      schedule={schedule}
                      viewerId={viewer.id}
                      isAdmin={viewer.scopes.includes("admin")}
                      mayChange={mayChange}
                      actions={actions}
                    />
                    {mayChange && asking?.schedule.id === schedule.id ? (
                      <AskingLine {...asking} columns={COLUMNS.length} />
                    ) : null}
                  </Fragment>
                )}
              </GroupRows>
            ))}
          </Table>
        )}
      </div>
      {all.length === 0 ? null : <Legend schedules={all} />}
      <ConfirmDialog
        title={`Delete “${deleted?.name ?? ""}”?`}
        confirmLabel="Delete schedule"
        isOpen={deleted !== null}
        onConfirm={() => deleted && remove(deleted)}
        onClose={() => setDeleted(null)}
      >
        It no longer starts anything. Its runs and their threads stay.
      </ConfirmDialog>
    </Page>
  );
}

/** The templates are shown beside the first one; later they are in its menu. */
function AddSchedule({ isFirst }: { isFirst: boolean }) {
  return (
    <>
      <LinkButton variant="primary" href={NEW_PAGE}>
        <Plus aria-hidden />
        New schedule
      </LinkButton>
      {isFirst ? (
        TEMPLATES.map(([id, { name }]) => (
          <LinkButton key={id} href={`${NEW_PAGE}?template=${id}`}>
            Start from “{name}”
          </LinkButton>
        ))
      ) : (
        <Menu
          label="Start from a template"
          trigger={
            <IconButton label="Start from a template">
              <ChevronDown />
            </IconButton>
          }
          actions={TEMPLATES.map(([id, { name }]) => ({
            id,
            label: `Start from “${name}”`,
            href: `${NEW_PAGE}?template=${id}`,
          }))}
        />
      )}
    </>
  );
}

function SpentToday({ schedules }: { schedules: readonly Schedule[] }) {
  if (schedules.length === 0) return null;
  const today = schedules.reduce((sum, { todayUsd }) => sum + (todayUsd ?? 0), 0);
  const unknown = schedules.filter(({ todayUsd }) => todayUsd === null).length;
  return (
    <span className="tnum pl-2 text-xs text-muted max-lg:hidden">
      {formatMoney(today)}
      {unknown === 0 ? "" : ` + ${unknown} unknown`} today, all schedules
    </span>
  );
}

function Legend({ schedules }: { schedules: readonly Schedule[] }) {
  const [zone, ...others] = new Set(schedules.map(({ timezone }) => timezone));
  return (
    <footer className="flex h-9 shrink-0 items-center gap-4 overflow-hidden border-t border-border px-4 text-xs text-muted max-lg:hidden">
      {LEGEND.map((sign) => (
        <span key={sign} className="flex shrink-0 items-end gap-1.5">
          <FiringGlyph sign={sign} />
          {SIGN_LABELS[sign]}
        </span>
      ))}
      <span className="tnum ml-auto shrink-0">{schedules.length} in all</span>
      {zone === undefined || others.length > 0 ? null : <span className="shrink-0">Times in {zone}</span>}
    </footer>
  );
}

interface GroupRowsProps {
  group: ScheduleGroup;
  schedules: readonly Schedule[];
  children: (schedule: Schedule) => ReactNode;
}

function GroupRows({ group, schedules, children }: GroupRowsProps) {
  if (schedules.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={COLUMNS.length}
          className="h-8 border-b border-separator bg-surface-secondary px-4 text-left text-xs font-normal text-muted"
        >
          {group} <Count signal={group === "Waiting for you"}>{schedules.length}</Count>
        </th>
      </tr>
      {schedules.map(children)}
    </tbody>
  );
}
