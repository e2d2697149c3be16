import { SpanRowTree } from "@/components/ui/waterfall-row";
import { classNames } from "@/lib/client/class-names";
import { formatCost, formatDuration, formatTokens } from "@/lib/client/format";
import type { Tick, Timeline } from "@/lib/client/span-timeline";
import type { SpanRow as Row, SpanNode } from "@/lib/client/span-tree";
import { barPlace, SpanBar } from "./span-bar";
import { SpanGlyph, SpanName } from "./span-name";

export type SpanLayout = "tree" | "waterfall";

/** The width of the tree beside the bars. */
export const TREE_COLUMN = "w-[392px] shrink-0 border-r border-border";

export interface SpanRowProps {
  row: Row;
  layout: SpanLayout;
  timeline: Timeline;
  ticks: readonly Tick[];
  isCritical: boolean;
  onToggle: (id: string) => void;
}

/** The inside of a row of 24 px: the tree and the bar are one row. */
export function SpanRowContent(props: SpanRowProps) {
  const { row, layout, timeline } = props;
  const { node } = row;
  return (
    <>
      <div className={layout === "waterfall" ? TREE_COLUMN : "min-w-0 flex-1"}>
        <SpanRowTree
          depth={row.depth}
          isOpen={node.children.length > 0 ? row.open : undefined}
          onToggle={() => props.onToggle(node.id)}
          glyph={<SpanGlyph node={node} />}
          name={<SpanName node={node} />}
          gist={node.gist}
          facts={
            <>
              <Fact className="w-12">{node.tokens === null ? "" : formatTokens(node.tokens)}</Fact>
              <Fact className="w-13">{node.costUsd === null ? "" : formatCost(node.costUsd)}</Fact>
              {layout === "tree" ? <Fact className="w-20">{spanDuration(node, timeline)}</Fact> : null}
            </>
          }
        />
      </div>
      {layout === "waterfall" ? <Lane {...props} /> : null}
    </>
  );
}

function Fact({ className, children }: { className: string; children: string }) {
  return <span className={classNames("tnum shrink-0 text-right text-xs text-muted", className)}>{children}</span>;
}

/** Until now for a span that runs. */
export function spanDuration(node: SpanNode, timeline: Timeline): string {
  return formatDuration((node.endMs ?? timeline.endMs) - node.startMs);
}

function Lane({ row, timeline, ticks, isCritical }: SpanRowProps) {
  return (
    <div className="relative mr-20 ml-3 flex flex-1 items-center">
      {ticks.map((tick) => (
        <span
          key={tick.atMs}
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-separator"
          style={{ left: `${tick.left}%` }}
        />
      ))}
      <IdleBands timeline={timeline} />
      <SpanBar node={row.node} timeline={timeline} isCritical={isCritical} />
      <Words node={row.node} timeline={timeline} />
    </div>
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

/** Right of the bar; left of it near the end. */
function Words({ node, timeline }: { node: SpanNode; timeline: Timeline }) {
  const { left, width } = barPlace(node, timeline);
  const isLeftOfBar = left + width > 88 && left > 30;
  const style = isLeftOfBar
    ? { right: `${100 - left}%`, paddingRight: 6 }
    : { left: `${left + width}%`, paddingLeft: 6 };
  return (
    <span
      className="tnum pointer-events-none absolute text-2xs leading-none whitespace-nowrap text-muted"
      style={style}
    >
      {spanDuration(node, timeline)}
    </span>
  );
}
