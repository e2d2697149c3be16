"use client";
import { ChevronLeft, Download, MessageSquare, Square } from "lucide-react";
import Link from "next/link";
import { Button, LinkButton } from "@/components/ui/button";
import { ICON_BUTTON } from "@/components/ui/icon-button";
import { StateChip } from "@/components/ui/state-ring";
import { Tag } from "@/components/ui/tag";
import { classNames } from "@/lib/client/class-names";
import { formatExact } from "@/lib/client/format";
import { traceNote } from "@/lib/client/trace-note";
import { hasEnded } from "@/lib/schema/run";
import type { Trace } from "@/lib/schema/trace";

export interface TraceHeadProps {
  trace: Trace;
  exportUrl: string;
  /** Threads of others can't be opened. */
  threadHref: string | null;
  isStopping: boolean;
  onStop: () => void;
}

export function TraceHead({ trace, exportUrl, threadHref, isStopping, onStop }: TraceHeadProps) {
  const note = traceNote(trace);
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 pr-4 pl-3">
      <Link href="/traces" aria-label="Back to traces" className={classNames(ICON_BUTTON, "size-7")}>
        <ChevronLeft className="size-4" aria-hidden />
      </Link>
      <h1 className="min-w-0 truncate text-sm font-semibold">{trace.title ?? "Untitled run"}</h1>
      <StateChip status={trace.status} note={note} />
      <Tag className="max-sm:hidden">
        {trace.agentId} v{trace.agentVersion}
      </Tag>
      <span className="tnum text-xs whitespace-nowrap text-muted max-lg:hidden" suppressHydrationWarning>
        by {trace.ownerName}, {formatExact(Date.parse(trace.startedAt))}
      </span>
      <span className="flex-1" />
      {threadHref === null ? null : (
        <LinkButton href={threadHref} variant="ghost" className="max-sm:hidden">
          <MessageSquare aria-hidden />
          Open thread
        </LinkButton>
      )}
      <a
        href={exportUrl}
        download
        className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-xs font-medium hover:bg-default max-sm:hidden"
      >
        <Download className="size-[15px]" aria-hidden />
        Export
      </a>
      {hasEnded(trace.status) ? null : (
        <Button onPress={onStop} isDisabled={isStopping}>
          <Square aria-hidden />
          {isStopping ? "Stopping" : "Stop"}
        </Button>
      )}
    </div>
  );
}
