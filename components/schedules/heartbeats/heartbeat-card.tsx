"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight, Ellipsis, Play } from "lucide-react";
import type { ReactNode } from "react";
import { MadeByKeyLine } from "@/components/shell/made-by-key";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Switch } from "@/components/ui/controls/switch";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/overlays/menu";
import { Bar } from "@/components/ui/section";
import { PausedRing } from "@/components/ui/states/paused-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { checksOf, everyMs, idleText, pauseText, type ShownCheck } from "@/lib/client/heartbeats/heartbeat-labels";
import { heartbeatFileQuery } from "@/lib/client/heartbeats/heartbeat-queries";
import { dueText, pausedText, untilText } from "@/lib/client/schedules/schedule-labels";
import { classNames } from "@/lib/client/ui/class-names";
import { formatMoney } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { Heartbeat, OfferedHeartbeat } from "@/lib/schema/triggers/heartbeat";
import { HeartbeatLegend, HeartbeatStrip } from "./heartbeat-strip";

export interface HeartbeatActions {
  onRunNow(heartbeat: Heartbeat): void;
  onToggle(heartbeat: Heartbeat): void;
  onEdit(heartbeat: Heartbeat): void;
  onDelete(heartbeat: Heartbeat): void;
}

export interface HeartbeatCardProps {
  heartbeat: Heartbeat;
  isOpen: boolean;
  onOpen: () => void;
  /** It is the viewer's own, and they may change it. */
  isMine: boolean;
  actions: HeartbeatActions;
}

/** One agent for one person: expanded with its beats and what they cost, or a line. */
export function HeartbeatCard({ heartbeat, isOpen, onOpen, isMine, actions }: HeartbeatCardProps) {
  const { id, agentName, agentVersion, ownerName, model, agentModel, enabled } = heartbeat;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <article aria-label={`Heartbeat of ${agentName}`} className="rounded-lg border border-border bg-surface">
      <header
        className={classNames(
          "flex min-h-11 items-center gap-2 py-1 pr-2 pl-3 max-sm:flex-wrap",
          isOpen && "min-h-12 border-b border-border",
        )}
      >
        <h2 className="min-w-0 text-sm">
          <button
            type="button"
            data-heartbeat={id}
            aria-expanded={isOpen}
            onClick={onOpen}
            className="flex max-w-full items-center gap-2 rounded-sm touch-row"
          >
            <Chevron className="size-3.5 shrink-0 text-subtle" aria-hidden />
            <Mark size={16} />
            <span className="truncate font-medium">
              {agentName}
              {agentVersion === null ? null : <span className="font-normal text-muted"> v{agentVersion}</span>}
            </span>
          </button>
        </h2>
        <span className="truncate text-sm text-muted max-lg:hidden">for {ownerName ?? "no one"}</span>
        {isOpen ? (
          <Tag className="max-xl:hidden" title="Model">
            {model ?? agentModel ?? "default model"}
          </Tag>
        ) : null}
        <PausedTag heartbeat={heartbeat} />
        <span
          className={classNames(
            "min-w-0 flex-1 truncate text-xs max-sm:order-last max-sm:w-full max-sm:flex-none max-sm:whitespace-normal",
            isOpen && "text-right max-sm:text-left",
          )}
        >
          <NextHeartbeat heartbeat={heartbeat} isOpen={isOpen} />
        </span>
        <span className="flex-1 sm:hidden" />
        {isMine && isOpen ? (
          <>
            <Switch label={`${agentName} beats`} isOn={enabled} onChange={() => actions.onToggle(heartbeat)} />
            <Button onPress={() => actions.onRunNow(heartbeat)}>
              <Play strokeWidth={1.75} aria-hidden />
              Beat now
            </Button>
          </>
        ) : null}
        {isMine && !isOpen && !enabled ? (
          <Button aria-label={`Turn on ${agentName}`} onPress={() => actions.onToggle(heartbeat)}>
            {heartbeat.pausedReason === "idle" ? "Wake" : "Turn on"}
          </Button>
        ) : null}
        {isMine ? (
          <Menu
            label={`More for ${agentName}`}
            trigger={
              <IconButton label={`More for ${agentName}`}>
                <Ellipsis />
              </IconButton>
            }
            actions={[
              { id: "edit", label: "Edit", onAction: () => actions.onEdit(heartbeat) },
              { id: "beat", label: "Beat now", shortcut: "b", onAction: () => actions.onRunNow(heartbeat) },
              {
                id: "toggle",
                label: enabled ? "Turn off" : "Turn on",
                shortcut: "p",
                onAction: () => actions.onToggle(heartbeat),
              },
              {
                id: "delete",
                label: "Delete",
                isDanger: true,
                startsGroup: true,
                onAction: () => actions.onDelete(heartbeat),
              },
            ]}
          />
        ) : null}
      </header>
      {isOpen ? (
        <>
          <MadeByKeyLine apiKey={heartbeat.apiKey} className="px-4 pt-3" />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-4 pb-3">
            <h3 className="text-sm font-medium">Last 48 beats</h3>
            <HeartbeatLegend beats={heartbeat.firings} />
          </div>
          <HeartbeatStrip heartbeat={heartbeat} />
          <Summary heartbeat={heartbeat} />
        </>
      ) : null}
    </article>
  );
}

function PausedTag({ heartbeat }: { heartbeat: Heartbeat }) {
  if (heartbeat.enabled) return null;
  const { pausedReason } = heartbeat;
  const isFailure = pausedReason === "failures";
  return (
    <Tag className={isFailure ? "bg-fail-soft text-fail-text" : undefined}>
      {pausedReason === null ? null : <PausedRing />}
      {pausedReason === null ? "Off" : `Paused: ${pausedText(heartbeat)}`}
    </Tag>
  );
}

function NextHeartbeat({ heartbeat, isOpen }: { heartbeat: Heartbeat; isOpen: boolean }) {
  const now = useHalfMinute();
  const { nextDueAt, zone, pauseMs, pausedReason, agentName, every, budget, month } = heartbeat;
  if (now === null) return null;
  if (nextDueAt !== null) {
    const isSlow = pauseMs > everyMs(heartbeat);
    return (
      <>
        <span className="text-muted">next beat </span>
        <time dateTime={nextDueAt} title={zone} className="font-medium">
          {dueText(nextDueAt, zone, now)}
        </time>
        <span className="text-muted">
          {" "}
          {untilText(nextDueAt, now)}
          {isSlow ? `, backed off to ${pauseText(pauseMs)}` : ""}
          {isOpen || month.monthUsd === null ? "" : `, ${formatMoney(month.monthUsd)} a month at this pace`}
        </span>
      </>
    );
  }
  if (pausedReason === "idle") return <span className="text-muted">{idleText(heartbeat)}</span>;
  if (pausedReason !== null) return <span className="text-muted">starts nothing until it is turned on again</span>;
  return <span className="text-muted">{offText({ agentName, every, dayUsd: budget.day_usd })}</span>;
}

function offText({ agentName, every, dayUsd }: Pick<OfferedHeartbeat, "agentName" | "every" | "dayUsd">): string {
  const most = dayUsd === null ? "" : `, at most ${formatMoney(dayUsd)} a day`;
  return `Turn on to let ${agentName} look every ${pauseText(everyMs({ every }))}${most}.`;
}

interface OfferedCardProps {
  offered: OfferedHeartbeat;
  isPending: boolean;
  onTurnOn: () => void;
}

/** A heartbeat that an agent's config offers and the viewer has not turned on. */
export function OfferedCard({ offered, isPending, onTurnOn }: OfferedCardProps) {
  const { agentName, agentVersion } = offered;
  return (
    <article
      aria-label={`Heartbeat of ${agentName}`}
      className="flex min-h-11 items-center gap-2 rounded-lg border border-dashed border-border-strong py-1 pr-2 pl-3 max-sm:flex-wrap"
    >
      <Mark size={16} />
      <h2 className="truncate text-sm font-medium">
        {agentName}
        {agentVersion === null ? null : <span className="font-normal text-muted"> v{agentVersion}</span>}
      </h2>
      <Tag>Off</Tag>
      <span className="min-w-0 flex-1 truncate text-xs text-muted max-sm:order-last max-sm:w-full max-sm:flex-none max-sm:whitespace-normal">
        {offText(offered)}
      </span>
      <span className="flex-1 sm:hidden" />
      <Button isPending={isPending} aria-label={`Turn on ${agentName}`} onPress={onTurnOn}>
        Turn on
      </Button>
    </article>
  );
}

function Summary({ heartbeat }: { heartbeat: Heartbeat }) {
  const { todayBeats, todayCalls, todayUsd, budget, month } = heartbeat;
  const { beats, calls, usd, monthUsd, everyBeatUsd } = month;
  const each = usd !== null && calls > 0 ? `, ${formatMoney(usd / calls)} each` : "";
  return (
    <dl className="grid grid-cols-4 border-t border-separator max-lg:grid-cols-2">
      <Fact label="Today" value={counted(todayBeats, "beat")}>
        {todayCalls === 0 ? "none with a model call" : `${todayCalls} with a model call`}
      </Fact>
      <Fact label="Budget today" value={todayUsd === null ? "unknown" : formatMoney(todayUsd)}>
        {budget.day_usd === null ? "no limit of its own" : `of ${formatMoney(budget.day_usd)}`}
      </Fact>
      <Fact label="A month at this pace" value={monthUsd === null ? "not known" : formatMoney(monthUsd)}>
        {monthUsd === null && usd !== null
          ? "too few beats to say"
          : usd === null
            ? "the price of a call is unknown"
            : `${counted(beats, "beat")}, ${counted(calls, "call")}${each}`}
      </Fact>
      <Fact label="Without checks and back-off" value={everyBeatUsd === null ? "not known" : formatMoney(everyBeatUsd)}>
        every {pauseText(everyMs(heartbeat))}, a call each time
      </Fact>
    </dl>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function Fact({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className="border-r border-separator px-4 py-2.5 last:border-r-0 max-lg:border-b max-lg:even:border-r-0 max-lg:nth-last-[-n+2]:border-b-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd>
        <span className="tnum block text-base leading-6 font-semibold">{value}</span>
        <span className="block text-xs text-muted">{children}</span>
      </dd>
    </div>
  );
}

const COLUMNS = [
  { id: "number", label: "Number", isLabelHidden: true },
  { id: "check", label: "Check" },
  { id: "asks", label: "Asks", className: "w-full max-md:hidden" },
  { id: "answer", label: "Last answer" },
] as const;

/** The checks before a beat, in order. */
export function Checks({ heartbeat, isMine }: { heartbeat: Heartbeat; isMine: boolean }) {
  const now = useHalfMinute();
  const { data: file } = useQuery({ ...heartbeatFileQuery(heartbeat.id), enabled: isMine });
  if (now === null) return null;
  const { beats } = heartbeat.month;
  const checks = checksOf(heartbeat, file?.hasTasks ?? null, now);
  const ended = { id: "ended", label: `Ended here, of ${counted(beats, "beat")}`, className: "max-sm:hidden" };
  return (
    <section className="mt-4">
      <header className="mb-2 flex flex-wrap items-center gap-x-2">
        <h2 className="text-sm font-medium">Before a model is called</h2>
        <span className="text-xs text-muted">in this order; the first no ends the beat at no cost</span>
        <span className="ml-auto text-xs text-muted">past 30 days</span>
      </header>
      <div className="overflow-x-auto rounded-lg border border-border">
        <Table label="Before a model is called">
          <TableHead columns={[...COLUMNS, ended]} />
          <tbody>
            {checks.map((check, index) => (
              <TableRow key={`${check.name} ${check.asks}`}>
                <TableCell className="text-subtle">{index + 1}</TableCell>
                <TableCell className="font-medium whitespace-nowrap">{check.name}</TableCell>
                <TableCell className="max-w-0 truncate text-muted max-md:hidden">
                  <span className={check.isMono ? "font-mono text-xs" : undefined}>{check.asks}</span>
                </TableCell>
                <TableCell className="text-xs whitespace-nowrap">{check.answer ?? "not asked yet"}</TableCell>
                <TableCell className="max-sm:hidden">
                  <EndedHere check={check} beats={beats} last={checks.length} />
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      </div>
    </section>
  );
}

/** Of several `when` checks the last one shows the number: a yes from any of them continues. */
function EndedHere({ check: { ended }, beats, last }: { check: ShownCheck; beats: number; last: number }) {
  if (ended === null) return <span className="text-xs text-subtle">any yes from 4 to {last} continues</span>;
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      <span className="w-22 shrink-0">
        <Bar percent={beats === 0 ? 0 : (100 * ended) / beats} className="bg-halted" />
      </span>
      <span className="tnum">{ended === 0 ? "none" : ended}</span>
    </span>
  );
}
