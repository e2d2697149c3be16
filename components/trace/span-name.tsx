import { StateRing } from "@/components/ui/state-ring";
import { KindSquare } from "@/components/ui/waterfall-row";
import { classNames } from "@/lib/client/class-names";
import type { SpanNode } from "@/lib/client/span-tree";
import { SPAN_RING } from "./span-look";

/** The square of a span's kind, or the ring of a state that is not simply well. */
export function SpanGlyph({ node }: { node: SpanNode }) {
  const ring = SPAN_RING[node.status];
  return ring ? <StateRing status={ring} size={12} labelled /> : <KindSquare kind={node.kind} />;
}

/** Machine names are mono, steps are words; a red dot says that something inside failed. */
export function SpanName({ node }: { node: SpanNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <span
        className={classNames(
          node.span === null && "font-sans font-medium",
          node.parentId === null && "font-semibold",
          node.kind === "hook" && "text-muted",
        )}
      >
        {node.label}
      </span>
      {node.errors > 0 && node.status !== "failed" ? <ErrorsInside count={node.errors} /> : null}
    </span>
  );
}

function ErrorsInside({ count }: { count: number }) {
  const words = count === 1 ? "1 error inside" : `${count} errors inside`;
  return <span role="img" aria-label={words} title={words} className="size-1.5 shrink-0 rounded-full bg-fail" />;
}
