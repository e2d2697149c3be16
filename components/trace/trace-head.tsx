"use client";
import {
  CalendarClock,
  ChevronLeft,
  Columns2,
  Download,
  Ellipsis,
  FileCode2,
  FlaskConical,
  MessageSquare,
  RotateCcw,
  Square,
  Undo2,
} from "lucide-react";
import Link from "next/link";
import { useShell } from "@/components/shell/shell-context";
import { Button, LinkButton } from "@/components/ui/controls/button";
import { ICON_BUTTON, IconButton } from "@/components/ui/controls/icon-button";
import { Menu } from "@/components/ui/overlays/menu";
import type { MenuAction } from "@/components/ui/overlays/menu-props";
import { StateChip } from "@/components/ui/states/state-ring";
import { Tag } from "@/components/ui/tag";
import { compareHref } from "@/lib/client/trace/compare/compare-queries";
import { traceNote } from "@/lib/client/trace/trace-note";
import { bundleTraceUrl, exportTraceUrl } from "@/lib/client/trace/trace-queries";
import { useListAddress } from "@/lib/client/trace/use-trace-filters";
import { classNames } from "@/lib/client/ui/class-names";
import { formatExact } from "@/lib/client/ui/text/format";
import { hasEnded } from "@/lib/schema/runs/run";
import { versionLabel } from "@/lib/schema/runs/run-version";
import type { Trace } from "@/lib/schema/traces/trace";
import { TraceReplay, useReplayStep } from "./replay/replay-button";
import { RunSteps } from "./run-steps";
import { TraceUndo, WithUndo } from "./undo/undo-button";

/** Back to the list, with its filters. */
export function TraceLead() {
  const { value: address } = useListAddress();
  return (
    <Link
      href={address ?? "/traces"}
      aria-label="Back to traces"
      className={classNames(ICON_BUTTON, "-ml-2 size-7 max-md:ml-0")}
    >
      <ChevronLeft className="size-4" aria-hidden />
    </Link>
  );
}

/** Its outcome and why, the agent, the person and the time. */
export function TraceTags({ trace }: { trace: Trace }) {
  return (
    <>
      <StateChip status={trace.status} note={traceNote(trace)} />
      <Tag className="max-sm:hidden">
        {trace.agentName} {versionLabel(trace.agentVersion)}
      </Tag>
      <span className="tnum truncate text-xs text-muted max-lg:hidden">
        by {trace.ownerName}, {formatExact(Date.parse(trace.startedAt))}
      </span>
    </>
  );
}

export interface TraceActionsProps {
  trace: Trace;
  /** Other people's threads can't be opened. */
  threadHref: string | null;
  /** Its agent's editor, which tries the run's input on the draft; null for those who may not. */
  draftHref: string | null;
  isStopping: boolean;
  onStop: () => void;
}

export function TraceActions({ trace, threadHref, draftHref, isStopping, onStop }: TraceActionsProps) {
  const againHref =
    threadHref !== null && hasEnded(trace.status) ? `/automations/schedules/new?run=${trace.runId}` : null;
  return (
    <>
      <RunSteps runId={trace.runId} />
      <LinkButton href={compareHref(trace.runId)} variant="ghost" className="max-sm:hidden" title="Compare">
        <Columns2 aria-hidden />
        <WideLabel>Compare</WideLabel>
      </LinkButton>
      {hasEnded(trace.status) && trace.steps > 0 ? <TraceReplay runId={trace.runId} /> : null}
      {threadHref === null || !hasEnded(trace.status) ? null : <TraceUndo trace={trace} />}
      {threadHref === null ? null : (
        <LinkButton href={threadHref} variant="ghost" className="max-sm:hidden">
          <MessageSquare aria-hidden />
          Open thread
        </LinkButton>
      )}
      {againHref === null ? null : (
        <LinkButton href={againHref} variant="ghost" className="max-xl:hidden" title="Run this again every …">
          <CalendarClock aria-hidden />
          <WideLabel>Run this again every …</WideLabel>
        </LinkButton>
      )}
      {draftHref === null ? null : (
        <LinkButton href={draftHref} variant="ghost" className="max-lg:hidden" title="Run again with the draft">
          <FlaskConical aria-hidden />
          <WideLabel>Run again with the draft</WideLabel>
        </LinkButton>
      )}
      <Menu
        label="Export"
        trigger={
          <Button variant="ghost" className="max-sm:hidden">
            <Download aria-hidden />
            <WideLabel>Export</WideLabel>
          </Button>
        }
        actions={exportsOf(trace)}
      />
      <PhoneActions trace={trace} threadHref={threadHref} draftHref={draftHref} againHref={againHref} />
      {hasEnded(trace.status) ? null : (
        <Button onPress={onStop} isPending={isStopping}>
          <Square aria-hidden />
          {isStopping ? "Stopping" : "Stop"}
        </Button>
      )}
    </>
  );
}

/** A file to open here again or to work with, and one that opens anywhere. */
function exportsOf({ id }: Trace): MenuAction[] {
  return [
    { id: "export", label: "Export as JSON", icon: <Download />, href: exportTraceUrl(id) },
    { id: "bundle", label: "Export as one HTML file", icon: <FileCode2 />, href: bundleTraceUrl(id) },
  ];
}

/** Read aloud everywhere, shown where the title has room beside it. */
function WideLabel({ children }: { children: string }) {
  return <span className="max-2xl:sr-only">{children}</span>;
}

/** The same without room for labels. */
function PhoneActions({
  trace,
  threadHref,
  draftHref,
  againHref,
}: Pick<TraceActionsProps, "threadHref" | "draftHref"> & {
  trace: Trace;
  againHref: string | null;
}) {
  const { go } = useShell();
  const [, setReplayStep] = useReplayStep();
  const thread = { id: "thread", label: "Open thread", icon: <MessageSquare /> };
  return (
    <span className="sm:hidden">
      <WithUndo run={trace}>
        {(undo) => (
          <Menu
            label="Trace"
            trigger={
              <IconButton label="Trace actions">
                <Ellipsis />
              </IconButton>
            }
            actions={[
              ...(threadHref === null ? [] : [{ ...thread, onAction: () => go(threadHref) }]),
              ...(againHref === null
                ? []
                : [
                    {
                      id: "again",
                      label: "Run this again every …",
                      icon: <CalendarClock />,
                      onAction: () => go(againHref),
                    },
                  ]),
              ...(draftHref === null
                ? []
                : [
                    {
                      id: "draft",
                      label: "Run again with the draft",
                      icon: <FlaskConical />,
                      onAction: () => go(draftHref),
                    },
                  ]),
              ...(threadHref === null || trace.undone !== undefined || !hasEnded(trace.status)
                ? []
                : [{ id: "undo", label: "Undo this run", icon: <Undo2 />, onAction: undo }]),
              ...(hasEnded(trace.status) && trace.steps > 0
                ? [{ id: "replay", label: "Replay", icon: <RotateCcw />, onAction: () => void setReplayStep(1) }]
                : []),
              { id: "compare", label: "Compare", icon: <Columns2 />, onAction: () => go(compareHref(trace.runId)) },
              ...exportsOf(trace),
            ]}
          />
        )}
      </WithUndo>
    </span>
  );
}
