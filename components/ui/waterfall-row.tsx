import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "@/lib/client/class-names";

export type SpanKind = "model" | "tool" | "agent" | "hook" | "run" | "memory";
export const KIND_FILL: Record<SpanKind, string> = {
  model: "bg-kind-model",
  tool: "bg-kind-tool",
  agent: "bg-kind-agent",
  hook: "bg-kind-hook",
  run: "bg-kind-run",
  memory: "bg-kind-memory",
};

export interface WaterfallBarProps {
  kind: SpanKind;
  /** Percent of the visible stretch. */
  left: number;
  width: number;
  /** Share of the bar before the first token, drawn pale. */
  paleShare?: number;
  /** `group` is a line of 3; `wait` brass hatch; `cancelled` dashed with grey hatch. */
  look: "group" | "plain" | "wait" | "cancelled" | "failed" | "live";
  isCritical?: boolean;
}

export function WaterfallBar({ kind, left, width, paleShare = 0, look, isCritical = false }: WaterfallBarProps) {
  const style = { left: `${left}%`, width: `${Math.max(width, 0.35)}%` };
  return (
    <>
      <BarShape kind={kind} look={look} paleShare={paleShare} style={style} />
      {isCritical ? <span className="absolute bottom-[2px] h-px bg-foreground" style={style} /> : null}
    </>
  );
}

type BarShapeProps = Pick<WaterfallBarProps, "kind" | "look"> & {
  paleShare: number;
  style: { left: string; width: string };
};

function BarShape({ kind, look, paleShare, style }: BarShapeProps) {
  if (look === "group")
    return <span className={classNames("absolute h-[3px] rounded-full", KIND_FILL[kind])} style={style} />;
  if (look === "wait")
    return (
      <span
        className="hatch absolute h-2.5 rounded-xs border border-signal-mark [--hatch:var(--signal)]"
        style={style}
      />
    );
  if (look === "cancelled")
    return (
      <span
        className="hatch absolute h-2.5 rounded-xs border border-dashed border-halted [--hatch:var(--border-strong)]"
        style={style}
      />
    );
  const fill = look === "failed" ? "bg-fail" : KIND_FILL[kind];
  return (
    <span className="absolute flex h-2.5 overflow-hidden rounded-xs" style={style}>
      {paleShare > 0 ? (
        <span className={classNames(fill, "opacity-40")} style={{ width: `${paleShare * 100}%` }} />
      ) : null}
      <span className={classNames("flex-1", fill)} />
      {look === "live" ? (
        <span className="absolute inset-y-0 left-0 w-1/4 animate-sweep bg-surface/60 motion-reduce:hidden" />
      ) : null}
    </span>
  );
}

export interface SpanRowTreeProps {
  depth: number;
  /** Undefined when the span has no children. */
  isOpen?: boolean;
  onToggle?: () => void;
  glyph: ReactNode;
  name: ReactNode;
  gist?: ReactNode;
  facts?: ReactNode;
}

/** The tree half of a row of 24: guides, chevron, glyph, name, gist, facts at the right. */
export function SpanRowTree({ depth, isOpen, onToggle, glyph, name, gist, facts }: SpanRowTreeProps) {
  return (
    <div className="relative flex h-6 min-w-0 items-center gap-1.5 pr-3" style={{ paddingLeft: 10 + depth * 16 }}>
      {Array.from({ length: depth }, (_, level) => level).map((level) => (
        <span
          key={level}
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-separator"
          style={{ left: 16 + level * 16 }}
        />
      ))}
      {isOpen === undefined ? (
        <span className="w-3.5 shrink-0" />
      ) : (
        <button
          type="button"
          tabIndex={-1}
          aria-label={isOpen ? "Fold" : "Unfold"}
          onClick={(event) => {
            event.stopPropagation();
            onToggle?.();
          }}
          className="relative z-1 flex w-3.5 shrink-0 justify-center text-subtle hover:text-foreground"
        >
          <ChevronRight className={classNames("size-3", isOpen && "rotate-90")} aria-hidden />
        </button>
      )}
      {glyph}
      <span className="shrink-0 font-mono text-xs">{name}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted">{gist}</span>
      {facts}
    </div>
  );
}

/** The square of a kind, where a state has nothing to say. */
export function KindSquare({ kind }: { kind: SpanKind }) {
  return <span aria-hidden="true" className={classNames("mx-0.5 size-2 shrink-0 rounded-xs", KIND_FILL[kind])} />;
}
