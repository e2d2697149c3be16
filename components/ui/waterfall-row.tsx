import { classNames } from "@/lib/client/ui/class-names";

export type SpanKind = "model" | "tool" | "agent" | "hook" | "run" | "memory";
const KIND_FILL: Record<SpanKind, string> = {
  model: "bg-kind-model",
  tool: "bg-kind-tool",
  agent: "bg-kind-agent",
  hook: "bg-kind-hook",
  run: "bg-kind-run",
  memory: "bg-kind-memory",
};

export interface WaterfallBarProps {
  kind: SpanKind;
  /** CSS lengths, relative to the box that contains the bar. */
  left: string;
  width: string;
  /** Share of the bar before the first token, drawn pale. */
  paleShare?: number;
  /** `group` is a 3 px line; `wait` brass hatch; `cancelled` dashed with grey hatch. */
  look: "group" | "plain" | "wait" | "cancelled" | "failed" | "live";
  isCritical?: boolean;
  /** Next to the bar. */
  words?: string;
  areWordsLeft?: boolean;
}

/** Few elements, and only the outer one is positioned: a list redraws dozens of bars per frame of scrolling. */
export function WaterfallBar({ left, width, isCritical, words, areWordsLeft, ...bar }: WaterfallBarProps) {
  return (
    <span
      className={classNames(
        "pointer-events-none absolute inset-y-[2px] flex items-center border-y border-transparent",
        isCritical && "border-b-foreground",
        areWordsLeft && "flex-row-reverse",
      )}
      style={{ left, width }}
    >
      <BarShape {...bar} />
      {words === undefined ? null : (
        <span className="tnum px-1.5 text-2xs leading-none whitespace-nowrap text-muted">{words}</span>
      )}
    </span>
  );
}

function BarShape({ kind, look, paleShare = 0 }: Pick<WaterfallBarProps, "kind" | "look" | "paleShare">) {
  const isPale = paleShare > 0 && (look === "plain" || look === "live" || look === "failed");
  return (
    <span
      className={classNames("w-full shrink-0", SHAPES[look], FILLS[look] ?? KIND_FILL[kind])}
      style={isPale ? { background: paleUntil(kind, paleShare) } : undefined}
    >
      {look === "live" ? (
        <span className="absolute inset-y-0 left-0 w-1/4 animate-sweep bg-surface/60 motion-reduce:hidden" />
      ) : null}
    </span>
  );
}

const PLAIN = "h-2.5 rounded-xs";

const SHAPES: Record<WaterfallBarProps["look"], string> = {
  group: "h-[3px] rounded-full",
  plain: PLAIN,
  live: `${PLAIN} relative overflow-hidden`,
  failed: PLAIN,
  wait: "hatch h-2.5 rounded-xs border border-signal-mark [--hatch:var(--signal)]",
  cancelled: "hatch h-2.5 rounded-xs border border-dashed border-halted [--hatch:var(--border-strong)]",
};

/** Replaces the kind's own colour. */
const FILLS: Partial<Record<WaterfallBarProps["look"], string>> = { failed: "bg-fail", wait: "", cancelled: "" };

function paleUntil(kind: SpanKind, share: number): string {
  const [full, at] = [`var(--kind-${kind})`, `${share * 100}%`];
  return `linear-gradient(90deg, color-mix(in oklab, ${full} 40%, transparent) ${at}, ${full} ${at})`;
}

/** The square of a kind, used if the state has nothing to say. */
export function KindSquare({ kind }: { kind: SpanKind }) {
  return <span aria-hidden="true" className={classNames("mx-0.5 size-2 shrink-0 rounded-xs", KIND_FILL[kind])} />;
}

/** The same for time spent asking a person. */
export function WaitSquare() {
  return (
    <span
      aria-hidden="true"
      className="hatch mx-0.5 size-2 shrink-0 rounded-xs border border-signal-mark [--hatch:var(--signal)]"
    />
  );
}
