"use client";
import dynamic from "next/dynamic";
import { useTheme } from "next-themes";
import { useMemo, useRef } from "react";
import { usePageKeys } from "@/components/shell/shell-context";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { serverNowMs } from "@/lib/client/http/server-clock";
import { failureSentence } from "@/lib/client/trace/failure-sentence";
import { failureIn, findNode, type SpanNode } from "@/lib/client/trace/span-tree";
import { isMoving } from "@/lib/client/trace/trace-growth";
import type { SpanLayout, TraceLayout } from "@/lib/client/trace/use-trace-layout";
import { useSpanTree, useTraceModel } from "@/lib/client/trace/use-trace-model";
import { moveByKey, revealNextError, revealNextWait, useTraceSelection } from "@/lib/client/trace/use-trace-selection";
import { useShortcuts } from "@/lib/client/ui/input/use-shortcuts";
import { useMediaQuery } from "@/lib/client/ui/use-browser";
import { useSecondWhile } from "@/lib/client/ui/use-now";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { Trace } from "@/lib/schema/traces/trace";
import { useNotesTab } from "./notes/use-notes-tab";
import { SpanList } from "./rows/span-list";
import { SpanPanel } from "./span/span-panel";
import { TraceFailure } from "./trace-failure";
import { TraceMinimap } from "./trace-minimap";
import { TraceTools } from "./trace-tools";
import { TraceTotals } from "./trace-totals";

const TraceScores = dynamic(async () => (await loadWithRetry(() => import("./trace-scores"))).TraceScores, {
  loading: () => null,
});

const PAGE_KEYS = [
  { keys: "/", does: "Search the spans" },
  { keys: "e", does: "Next error" },
  { keys: "w", does: "Next wait for a person" },
  { keys: "n", does: "Write a note" },
  { keys: "x", does: "Explain the run" },
  { keys: "↑ ↓", does: "Move through the spans" },
  { keys: "← →", does: "Fold and unfold" },
  { keys: "Enter", does: "Open the span" },
  { keys: "Esc", does: "Close the span" },
  { keys: "[ ]", does: "Run above and below" },
] as const;

const CLOSE_KEY = "Escape";

export interface TraceViewProps {
  trace: Trace;
  layout: SpanLayout;
  onLayout: (layout: TraceLayout) => void;
}

/** The spans of one trace next to the open one. */
export function TraceView({ trace, layout, onLayout }: TraceViewProps) {
  const tree = useSpanTree(trace);
  const cause = useMemo(() => failureIn(tree), [tree]);
  const selection = useTraceSelection(trace.spans, cause?.id ?? null);
  const notes = useNotesTab(trace.runId, tree[0]?.id, selection);
  const second = useSecondWhile(isMoving(trace, serverNowMs()));
  const { resolvedTheme } = useTheme();
  const isPhone = useMediaQuery("(max-width: 767px)");
  const searchRef = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const startedMs = Date.parse(trace.startedAt);
  const nowMs = second ?? startedMs + (trace.durationMs ?? 0);
  const { collapsed, search } = selection;
  const model = useTraceModel({ tree, spans: trace.spans, collapsed, search, nowMs });
  usePageKeys(PAGE_KEYS);
  useShortcuts({
    "/": () => searchRef.current?.focus(),
    e: () => revealNextError(selection, model.tree),
    w: () => revealNextWait(selection, model.tree),
    n: notes.write,
    [CLOSE_KEY]: selection.close,
  });
  const openNode = selection.openId === null ? undefined : findNode(model.tree, selection.openId);
  return (
    <>
      <Failure trace={trace} cause={cause} onShow={(id) => selection.reveal(model.tree, id)} />
      <TraceTotals trace={trace} nowMs={nowMs} />
      {trace.scores.length === 0 ? null : <TraceScores scores={trace.scores} />}
      <div className="flex min-h-0 flex-1 border-t border-border max-lg:flex-col">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <TraceTools
            layout={layout}
            onLayout={onLayout}
            search={search}
            onSearch={selection.setSearch}
            searchRef={searchRef}
            spanCount={trace.spans.length}
            errorCount={model.errorCount}
            onNextError={() => revealNextError(selection, model.tree)}
            waitCount={model.waitCount}
            onNextWait={() => revealNextWait(selection, model.tree)}
            traceId={trace.id}
            onOpenSpan={(id) => selection.reveal(model.tree, id)}
          />
          <TraceMinimap key={resolvedTheme} rows={model.rows} timeline={model.timeline} scroller={scroller} />
          <SpanList
            {...model}
            layout={layout}
            noteCounts={notes.counts}
            activeId={selection.activeId}
            search={search}
            scroller={scroller}
            isPhone={isPhone}
            onSelect={selection.open}
            onToggle={selection.toggle}
            onKey={(key) => moveByKey(selection, model, key)}
          />
        </div>
        {openNode?.span ? (
          <SpanPanel
            trace={trace}
            node={openNode}
            span={openNode.span}
            nowMs={nowMs}
            notes={notes.tab}
            tab={selection.tab}
            onTab={selection.setTab}
            onClose={selection.close}
          />
        ) : null}
      </div>
    </>
  );
}

interface FailureProps {
  trace: Trace;
  cause: SpanNode | undefined;
  onShow: (spanId: string) => void;
}

function Failure({ trace, cause, onShow }: FailureProps) {
  if (trace.error === null) return null;
  return (
    <TraceFailure onShow={cause && (() => onShow(cause.id))}>
      {failureSentence(trace, cause) ?? failureText(trace.error)}
    </TraceFailure>
  );
}
