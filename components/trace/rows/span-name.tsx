import { StateRing } from "@/components/ui/states/state-ring";
import { KindSquare, WaitSquare } from "@/components/ui/waterfall-row";
import { summarizeSpan } from "@/lib/client/trace/span-summary";
import type { SpanNode } from "@/lib/client/trace/span-tree";
import { classNames } from "@/lib/client/ui/class-names";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { SpanStatus } from "@/lib/schema/traces/span";

/** A state that is shown as a ring instead of the kind's square; null if all went well. */
const SPAN_RING: Record<SpanStatus, RunStatus | null> = {
  running: "running",
  completed: null,
  failed: "failed",
  cancelled: "cancelled",
  waiting: "waiting",
  limit: "limit",
  interrupted: "interrupted",
};

/** The square of a span's kind, or the ring of a state other than success. */
export function SpanGlyph({ node }: { node: SpanNode }) {
  if (node.isWait && node.status !== "waiting") return <WaitSquare />;
  const ring = SPAN_RING[node.status];
  if (ring === null) return <KindSquare kind={node.kind} />;
  const refusal = node.span === null ? null : summarizeSpan(node.span).refusal;
  return <StateRing status={ring} size={12} labelled word={refusal ?? undefined} />;
}

/** Machine names are mono, steps are words; a red dot means that something inside failed. */
export function SpanName({ node, className }: { node: SpanNode; className?: string }) {
  return (
    <>
      <span
        className={classNames(
          className,
          node.span === null && "font-sans font-medium",
          node.parentId === null && "font-semibold",
          node.kind === "hook" && "text-muted",
        )}
      >
        {node.label}
      </span>
      {node.errors > 0 && node.status !== "failed" ? <ErrorsInside count={node.errors} /> : null}
    </>
  );
}

function ErrorsInside({ count }: { count: number }) {
  const words = count === 1 ? "1 error inside" : `${count} errors inside`;
  return <span role="img" aria-label={words} title={words} className="size-1.5 shrink-0 rounded-full bg-fail" />;
}
