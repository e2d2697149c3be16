"use client";
import { Ellipsis, Play } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import { Bar } from "@/components/ui/section";
import { PausedRing } from "@/components/ui/states/paused-ring";
import { StateRing } from "@/components/ui/states/state-ring";
import { TableCell, TableRow } from "@/components/ui/table";
import {
  dueText,
  type FiringSign,
  groupOf,
  pausedText,
  SIGN_LABELS,
  signOf,
  untilText,
} from "@/lib/client/schedules/schedule-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatMoney } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { timeLabel } from "@/lib/schema/triggers/schedule-time";
import { FiringGlyph, FiringStrip } from "./firing-strip";

export interface ScheduleActions {
  onEdit(schedule: Schedule): void;
  onRun(schedule: Schedule): void;
  onToggle(schedule: Schedule): void;
  onTakeOver(schedule: Schedule): void;
  onDelete(schedule: Schedule): void;
}

/** Where a schedule is changed. */
export function pageOf(id: string): string {
  return `/automations/schedules/${encodeURIComponent(id)}`;
}

interface ScheduleRowProps {
  schedule: Schedule;
  viewerId: string;
  /** Administrators take over schedules without an owner. */
  isAdmin: boolean;
  mayChange: boolean;
  actions: ScheduleActions;
}

export function ScheduleRow({ schedule, viewerId, isAdmin, mayChange, actions }: ScheduleRowProps) {
  const { id, name, agentName, agentVersion, ownerId, ownerName, enabled, pausedReason } = schedule;
  const group = groupOf(schedule);
  const isOwn = ownerId === viewerId;
  const isMine = isOwn && mayChange;
  const edge =
    group === "Waiting for you"
      ? "signal"
      : schedule.firings.some((one) => signOf(one) === "running")
        ? "live"
        : undefined;
  return (
    <TableRow edge={edge}>
      <TableCell className="w-[134px] max-sm:w-auto max-sm:pr-1">
        <ScheduleState schedule={schedule} isOwn={isOwn} />
      </TableCell>
      <TableCell className="max-w-0 py-1 max-sm:w-full max-sm:px-1">
        {isMine ? (
          <Link
            href={pageOf(id)}
            prefetch={false}
            data-schedule={id}
            className="block max-w-full truncate rounded-sm font-medium hover:underline"
          >
            {name}
          </Link>
        ) : (
          <span className="block truncate font-medium">{name}</span>
        )}
        <SmallLine
          text={[isOwn ? null : (ownerName ?? "No owner"), pausedLine(schedule)].filter(Boolean).join(" · ")}
          isFailure={pausedReason === "failures"}
        />
      </TableCell>
      <TableCell className="text-muted max-md:hidden">
        {agentName} {agentVersion === null ? "" : `v${agentVersion}`}
      </TableCell>
      <TableCell className="max-lg:hidden">{timeLabel(schedule)}</TableCell>
      <TableCell className="max-sm:px-1 max-sm:py-1 max-sm:text-xs">
        <NextDue schedule={schedule} />
      </TableCell>
      <TableCell className="max-md:hidden">
        <LastRun schedule={schedule} />
      </TableCell>
      <TableCell align="right" className="tnum text-muted max-xl:hidden">
        {schedule.monthUsd === null ? "unknown" : formatMoney(schedule.monthUsd)}
      </TableCell>
      <TableCell className="tnum text-muted max-xl:hidden">
        <BudgetToday schedule={schedule} />
      </TableCell>
      <TableCell className="max-lg:hidden">
        <FiringStrip schedule={schedule} />
      </TableCell>
      <TableCell align="right">
        <span className="inline-flex items-center justify-end gap-1">
          {isMine && enabled ? (
            <IconButton
              className="max-sm:hidden"
              label={`Run ${name} now`}
              shortcut="r"
              onPress={() => actions.onRun(schedule)}
            >
              <Play strokeWidth={1.75} />
            </IconButton>
          ) : null}
          {isMine && !enabled && pausedReason !== "never_due" ? (
            <Button className="max-sm:hidden" aria-label={`Resume ${name}`} onPress={() => actions.onToggle(schedule)}>
              Resume
            </Button>
          ) : null}
          {isAdmin && !isOwn && !enabled ? (
            <Button aria-label={`Take over ${name}`} onPress={() => actions.onTakeOver(schedule)}>
              Take over
            </Button>
          ) : null}
          {isMine ? (
            <Menu
              label={`More for ${name}`}
              trigger={
                <IconButton label={`More for ${name}`}>
                  <Ellipsis />
                </IconButton>
              }
              actions={[
                { id: "edit", label: "Edit", onAction: () => actions.onEdit(schedule) },
                { id: "run", label: "Run now", shortcut: "r", onAction: () => actions.onRun(schedule) },
                {
                  id: "toggle",
                  label: enabled ? "Pause" : "Resume",
                  shortcut: "p",
                  isDisabled: pausedReason === "never_due",
                  onAction: () => actions.onToggle(schedule),
                },
                {
                  id: "delete",
                  label: "Delete",
                  isDanger: true,
                  isDisabled: schedule.fromConfig,
                  startsGroup: true,
                  onAction: () => actions.onDelete(schedule),
                },
              ]}
            />
          ) : null}
        </span>
      </TableCell>
    </TableRow>
  );
}

/** Why something other than a person paused it. */
function pausedLine(schedule: Schedule): string | null {
  const { pausedReason, enabled } = schedule;
  return enabled || pausedReason === null || pausedReason === "never_due" ? null : pausedText(schedule);
}

function SmallLine({ text, isFailure }: { text: string; isFailure: boolean }) {
  if (text === "") return null;
  return (
    <span className={classNames("block truncate text-xs", isFailure ? "text-fail-text" : "text-muted")}>{text}</span>
  );
}

function ScheduleState({ schedule, isOwn }: { schedule: Schedule; isOwn: boolean }) {
  const last = schedule.firings.at(-1);
  const sign = last ? signOf(last) : null;
  if (groupOf(schedule) === "Waiting for you") {
    const waiting = schedule.firings.findLast((firing) => signOf(firing) === "waits");
    return (
      <Link
        href={`/threads/${waiting?.threadId ?? ""}`}
        className="inline-flex h-6 items-center gap-1.5 rounded-sm bg-signal-soft px-1.5 text-xs text-signal-text hover:underline"
      >
        <StateRing status="waiting" size={12} isStill />
        Waiting
      </Link>
    );
  }
  if (!schedule.enabled) {
    const isFailure = schedule.pausedReason === "failures";
    return (
      <span
        className={classNames(
          "inline-flex h-5 items-center gap-1.5 rounded-sm px-1.5 text-xs",
          isFailure ? "bg-fail-soft text-fail-text" : "bg-default text-muted",
        )}
      >
        {schedule.pausedReason === "never_due" ? (
          "Done"
        ) : (
          <>
            <PausedRing />
            <span>
              Paused
              {schedule.pausedReason === null ? (
                <span className="max-sm:hidden"> {isOwn ? "by you" : "by its owner"}</span>
              ) : null}
            </span>
          </>
        )}
      </span>
    );
  }
  if (sign === "running") {
    return (
      <span className="inline-flex h-5 items-center gap-1.5 rounded-sm bg-live-soft px-1.5 text-xs text-live-text">
        <StateRing status="running" size={12} />
        Running
      </span>
    );
  }
  return <span className="text-xs text-muted">On</span>;
}

function NextDue({ schedule: { nextDueAt, timezone, pausedAt, pausedReason } }: { schedule: Schedule }) {
  const now = useHalfMinute();
  if (now === null) return null;
  if (nextDueAt !== null) {
    return (
      <time dateTime={nextDueAt} title={timezone}>
        {dueText(nextDueAt, timezone, now)} <span className="text-muted max-sm:block">{untilText(nextDueAt, now)}</span>
      </time>
    );
  }
  if (pausedReason === "never_due") return <span className="text-muted">not again</span>;
  return (
    <span className="text-muted">{pausedAt === null ? "paused" : `since ${dueText(pausedAt, timezone, now)}`}</span>
  );
}

const TONES: Partial<Record<FiringSign, string>> = {
  failed: "text-fail-text",
  refused: "text-fail-text",
  "tool-failed": "text-fail-text",
  waits: "text-signal-text",
  limit: "text-limit-text",
  running: "text-live-text",
};

function LastRun({ schedule: { firings, timezone } }: { schedule: Schedule }) {
  const now = useHalfMinute();
  const last = firings.at(-1);
  if (last === undefined || now === null) return <span className="text-muted">not yet</span>;
  const sign = signOf(last);
  return (
    <span className="flex items-center gap-2">
      {sign === "ran" || sign === "late" ? (
        <StateRing status="completed" size={12} labelled />
      ) : (
        <FiringGlyph sign={sign} />
      )}
      <span className={classNames("truncate", TONES[sign])}>
        {dueText(last.dueAt, timezone, now)}
        {sign === "ran" ? "" : ` ${SIGN_LABELS[sign]}`}
      </span>
      {last.runId === null || last.status === null ? null : (
        <span className="tnum ml-auto text-muted">{formatCost(last.costUsd)}</span>
      )}
    </span>
  );
}

function BudgetToday({ schedule: { todayUsd, budget } }: { schedule: Schedule }) {
  const spent = todayUsd === null ? "unknown" : formatMoney(todayUsd);
  if (budget.day_usd === null) return spent;
  const share = todayUsd === null || budget.day_usd === 0 ? 0 : todayUsd / budget.day_usd;
  return (
    <span className={classNames("flex items-center gap-2", share >= 1 && "text-limit-text")}>
      <span className="w-6 shrink-0">
        <Bar percent={share * 100} className={share >= 1 ? "bg-limit" : "bg-foreground"} />
      </span>
      {spent} of {formatMoney(budget.day_usd)}
    </span>
  );
}
