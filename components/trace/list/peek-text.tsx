"use client";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { ReadText } from "@/components/trace/read/read-text";
import { EmptyState } from "@/components/ui/states/state-block";
import { notesQuery } from "@/lib/client/trace/notes/note-queries";
import { useReading } from "@/lib/client/trace/read/use-reading";
import type { ReadTrace } from "@/lib/schema/traces/read-trace";

/** The text of the run that is open beside the list; what the list was searched for is marked in it. */
export function PeekText({ trace }: { trace: ReadTrace }) {
  const reading = useReading(trace);
  const scroller = useRef<HTMLDivElement>(null);
  const { data: notes = [] } = useQuery(notesQuery(trace.runId));
  if (reading.rows.length === 0) {
    return (
      <EmptyState title="Nothing to read yet">The run has just begun. Its text appears here as it grows.</EmptyState>
    );
  }
  const linkTo = (passageId: string) =>
    new URL(
      `/traces/${encodeURIComponent(trace.runId)}?layout=read&at=${encodeURIComponent(passageId)}`,
      window.location.href,
    ).href;
  return <ReadText reading={reading} traceId={trace.traceId} notes={notes} scroller={scroller} linkTo={linkTo} />;
}
