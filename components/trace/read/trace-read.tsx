"use client";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { usePageKeys } from "@/components/shell/shell-context";
import { LayoutSwitch, type LayoutSwitchProps } from "@/components/trace/layout-switch";
import { RunNotes } from "@/components/trace/notes/read-notes";
import { TraceFailure } from "@/components/trace/trace-failure";
import { TraceScores } from "@/components/trace/trace-scores";
import { TraceTotals } from "@/components/trace/trace-totals";
import { QueryState } from "@/components/ui/states/query-state";
import { EmptyState } from "@/components/ui/states/state-block";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { failureSentence } from "@/lib/client/trace/failure-sentence";
import { notesQuery } from "@/lib/client/trace/notes/note-queries";
import { loadMarkdown, readTraceQuery } from "@/lib/client/trace/read/read-queries";
import { rootOf } from "@/lib/client/trace/read/read-rows";
import { type Reading, useReading } from "@/lib/client/trace/read/use-reading";
import { buildSpanTree, failureIn } from "@/lib/client/trace/span-tree";
import { isMoving, mayGrow } from "@/lib/client/trace/trace-growth";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { copyText } from "@/lib/client/ui/text/copy-text";
import { showToast } from "@/lib/client/ui/toast-store";
import { useSecondWhile } from "@/lib/client/ui/use-now";
import type { ReadPassage, ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Trace } from "@/lib/schema/traces/trace";
import { ReadOutline } from "./read-outline";
import { ReadText } from "./read-text";
import { ReadTools } from "./read-tools";

const PAGE_KEYS = [
  { keys: "/", does: "Search the text" },
  { keys: "j k", does: "Next and previous step" },
  { keys: "o", does: "Open or fold everything" },
  { keys: "e", does: "Next error" },
  { keys: "w", does: "Next wait for a person" },
  { keys: "y", does: "Copy a link to here" },
  { keys: "m", does: "Copy as Markdown" },
  { keys: "[ ]", does: "Run above and below" },
] as const;

export interface TraceReadProps extends LayoutSwitchProps {
  trace: Trace;
}

/** The whole run as one text in reading order. */
export function TraceRead({ trace, ...layout }: TraceReadProps) {
  const query = useQuery(readTraceQuery(trace.id, mayGrow(trace, serverNowMs())));
  const second = useSecondWhile(isMoving(trace, serverNowMs()));
  const nowMs = second ?? Date.parse(trace.startedAt) + (trace.durationMs ?? 0);
  const facts = (
    <>
      <TraceTotals trace={trace} nowMs={nowMs} />
      {trace.scores.length === 0 ? null : <TraceScores scores={trace.scores} />}
    </>
  );
  return (
    <>
      {query.data ? (
        <Text trace={query.data} facts={facts} failure={failureLine(trace)} {...layout} />
      ) : (
        <>
          {facts}
          <div className="flex min-h-10 shrink-0 items-center border-y border-border px-3">
            <LayoutSwitch {...layout} />
          </div>
          <QueryState what="text of this run" query={query}>
            {() => null}
          </QueryState>
        </>
      )}
    </>
  );
}

const isFailure = (passage: ReadPassage) =>
  (passage.kind === "call" && (passage.isError || passage.status === "failed")) ||
  (passage.kind === "notice" && passage.tone === "fail");
const isWait = ({ kind }: ReadPassage) => kind === "wait";

/** Where the run failed; why is the last line of its text. */
function failureLine(trace: Trace): string | null {
  if (trace.status !== "failed") return null;
  return failureSentence(trace, failureIn(buildSpanTree(trace.spans))) ?? "The run failed.";
}

interface TextProps extends LayoutSwitchProps {
  trace: ReadTrace;
  facts: ReactNode;
  failure: string | null;
}

function Text({ trace, facts, failure, ...layout }: TextProps) {
  const reading = useReading(trace);
  const searchRef = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const passages = trace.runs.flatMap((run) => run.passages);
  const { data: notes = [] } = useQuery(notesQuery(trace.runId));
  const placed = new Set(passages.map((passage) => (passage.kind === "call" ? passage.spanId : undefined)));
  placed.delete(null);
  const isAllOpen = reading.open.size > 0;
  const fold = isAllOpen ? reading.closeAll : reading.openAll;
  const copy = () => void copied(loadMarkdown(trace.traceId), "Copied as Markdown");
  usePageKeys(PAGE_KEYS);
  useShortcuts({
    "/": () => searchRef.current?.focus(),
    j: () => reading.goStep(1),
    k: () => reading.goStep(-1),
    o: fold,
    e: () => reading.goNext(isFailure),
    w: () => reading.goNext(isWait),
    y: () => void copyPlace(reading, passages[0]?.id),
    m: copy,
  });
  const root = rootOf(trace);
  const end = root?.passages.findLast(({ kind }) => kind === "notice");
  return (
    <>
      {failure === null ? null : <TraceFailure onShow={end && (() => reading.go(end.id))}>{failure}</TraceFailure>}
      {facts}
      <ReadTools
        {...layout}
        reading={reading}
        searchRef={searchRef}
        errorCount={passages.filter(isFailure).length}
        onNextError={() => reading.goNext(isFailure)}
        waitCount={passages.filter(isWait).length}
        onNextWait={() => reading.goNext(isWait)}
        isAllOpen={isAllOpen}
        onFold={fold}
        onCopy={copy}
      />
      <RunNotes notes={notes.filter((note) => !placed.has(note.spanId))} />
      {root && !root.hasMessages ? (
        <p className="shrink-0 border-b border-border px-4 py-1.5 text-xs text-muted">
          The messages of this run were removed. Its calls, times and cost are kept.
        </p>
      ) : null}
      <div className="flex min-h-0 flex-1">
        {root ? <ReadOutline run={root} current={reading.current} matches={reading.matches} onGo={reading.go} /> : null}
        {reading.rows.length === 0 ? (
          <EmptyState title="Nothing to read yet">
            The run has just begun. Its text appears here as it grows.
          </EmptyState>
        ) : (
          <ReadText reading={reading} traceId={trace.traceId} notes={notes} scroller={scroller} linkTo={linkTo} />
        )}
      </div>
    </>
  );
}

/** The page's own address, at a passage. */
function linkTo(passageId: string): string {
  const url = new URL(window.location.href);
  url.searchParams.delete("call");
  url.searchParams.set("layout", "read");
  url.searchParams.set("at", passageId);
  return url.href;
}

async function copyPlace(reading: Reading, first: string | undefined): Promise<void> {
  const passageId = reading.current ?? first;
  if (passageId === undefined) return;
  await copied(Promise.resolve(linkTo(passageId)), "Link copied");
}

async function copied(text: Promise<string>, title: string): Promise<void> {
  try {
    await copyText(await text);
    showToast({ title });
  } catch {
    showToast({ title: "It could not be copied", tone: "error" });
  }
}
