import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { NoteCount } from "@/components/trace/notes/note-count";
import type { Tick, Timeline } from "@/lib/client/trace/span-timeline";
import { nodeGist, type SpanRow as Row, type SpanNode } from "@/lib/client/trace/span-tree";
import type { SpanLayout } from "@/lib/client/trace/use-trace-layout";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatTokens } from "@/lib/client/ui/text/format";
import { formatDuration } from "@/lib/schema/format-duration";
import { SpanBar } from "./span-bar";
import { SpanGlyph, SpanName } from "./span-name";

/** The width of the tree next to the bars. */
export const TREE_COLUMN = "w-[392px] shrink-0 border-r border-border";

/** The bars' area, right of the tree. */
export const LANES = "pointer-events-none absolute inset-y-0 right-20 left-[404px]";

/** The same position, measured from the whole row: its bars have no box of their own. */
const laneWidth = (percent: number) => `calc((100% - 484px) * ${percent / 100})`;
const laneLeft = (percent: number) => `calc(404px + (100% - 484px) * ${percent / 100})`;

export interface SpanRowProps {
  row: Row;
  layout: SpanLayout;
  timeline: Timeline;
  /** Its own grid lines, if none are drawn behind it. */
  ticks?: readonly Tick[];
  isCritical: boolean;
  noteCount: number;
  onToggle: (id: string) => void;
}

/**
 * The inside of a row of 24 px: the tree and the bar are one row. Everything is in the row itself (`spanRowStyle`),
 * without boxes around it: fast scrolling draws dozens of rows per frame.
 */
export function SpanRowContent({ row, layout, timeline, ticks, isCritical, noteCount, onToggle }: SpanRowProps) {
  const { node } = row;
  return (
    <>
      {node.children.length > 0 ? <FoldButton isOpen={row.open} onToggle={() => onToggle(node.id)} /> : null}
      <SpanGlyph node={node} />
      <SpanName node={node} className="shrink-0 font-mono text-xs" />
      <NoteCount count={noteCount} />
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{nodeGist(node)}</span>
      <Summary node={node} />
      {layout === "waterfall" ? (
        <>
          {ticks ? (
            <span className={LANES}>
              <LaneGrid ticks={ticks} timeline={timeline} />
            </span>
          ) : null}
          <SpanBar
            node={node}
            timeline={timeline}
            isCritical={isCritical}
            words={spanDuration(node, timeline)}
            toLeft={laneLeft}
            toWidth={laneWidth}
          />
        </>
      ) : (
        <Fact className="w-20">{spanDuration(node, timeline)}</Fact>
      )}
    </>
  );
}

const CHEVRON = 20;

/** The row's own style: its guides, and the tree's width next to the bars. */
export function spanRowStyle({ depth, node }: Row, layout: SpanLayout) {
  const hasBarsBeside = layout === "waterfall";
  return {
    backgroundSize: `${depth * 16}px 100%, ${hasBarsBeside ? 1 : 0}px 100%`,
    paddingLeft: 10 + depth * 16 + (node.children.length > 0 ? 0 : CHEVRON),
    paddingRight: hasBarsBeside ? "calc(100% - 380px)" : 12,
  };
}

function FoldButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={isOpen ? "Fold" : "Unfold"}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
      className="flex w-3.5 shrink-0 justify-center text-subtle hover:text-foreground"
    >
      <ChevronRight className={classNames("size-3", isOpen && "rotate-90")} aria-hidden />
    </button>
  );
}

function Summary({ node }: { node: SpanNode }) {
  const { tokens, costUsd, unknownTokens, unknownCosts } = node;
  if (tokens === null && costUsd === null && unknownTokens === 0 && unknownCosts === 0)
    return <span className="w-26.5 shrink-0" />;
  return (
    <>
      <Fact className="w-12">
        <Sum unknown={unknownTokens}>{tokens === null ? null : formatTokens(tokens)}</Sum>
      </Fact>
      <Fact className="w-13">
        <Sum unknown={unknownCosts}>{costUsd === null ? null : formatCost(costUsd)}</Sum>
      </Fact>
    </>
  );
}

/** A sum and how many calls are missing from it: "1.2k+", where the title and a screen reader say "1.2k + 1 unknown". */
function Sum({ unknown, children }: { unknown: number; children: string | null }) {
  if (unknown === 0) return children;
  const words = children === null ? "unknown" : `${children} + ${unknown} unknown`;
  return (
    <span title={words}>
      <span aria-hidden="true">{children === null ? "–" : `${children}+`}</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}

function Fact({ className, children }: { className: string; children: ReactNode }) {
  return <span className={classNames("tnum shrink-0 text-right text-xs text-muted", className)}>{children}</span>;
}

/** Until now for a running span. */
export function spanDuration(node: SpanNode, timeline: Timeline): string {
  return formatDuration((node.endMs ?? timeline.endMs) - node.startMs);
}

/** The lines of the round times and the squeezed gaps. */
export function LaneGrid({ ticks, timeline }: { ticks: readonly Tick[]; timeline: Timeline }) {
  return (
    <>
      {ticks.map((tick) => (
        <span
          key={tick.atMs}
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-separator"
          style={{ left: `${tick.left}%` }}
        />
      ))}
      <IdleBands timeline={timeline} />
    </>
  );
}

export function IdleBands({ timeline }: { timeline: Timeline }) {
  return timeline.gaps.map((gap) => (
    <span
      key={gap.fromMs}
      aria-hidden="true"
      className="absolute inset-y-0 border-x border-dashed border-border-strong bg-background"
      style={{ left: `${timeline.at(gap.fromMs)}%`, width: `${timeline.at(gap.toMs) - timeline.at(gap.fromMs)}%` }}
    />
  ));
}
