import type { ReactNode } from "react";
import { classNames } from "@/lib/client/ui/class-names";
import type { RunStatus } from "@/lib/schema/runs/run";

/** The label of a state, the colours of its glyph and label, and the chip's background. */
const STATE_LOOK: Record<RunStatus, { word: string; glyph: string; text: string; soft: string }> = {
  queued: { word: "Queued", glyph: "text-halted", text: "text-muted", soft: "bg-default" },
  running: { word: "Running", glyph: "text-live", text: "text-live-text", soft: "bg-live-soft" },
  waiting: { word: "Waiting", glyph: "text-signal-mark", text: "text-signal-text", soft: "bg-signal-soft" },
  completed: { word: "Completed", glyph: "text-ok", text: "text-muted", soft: "" },
  limit: { word: "Limit", glyph: "text-limit", text: "text-limit-text", soft: "bg-limit-soft" },
  failed: { word: "Failed", glyph: "text-fail", text: "text-fail-text", soft: "bg-fail-soft" },
  cancelled: { word: "Stopped", glyph: "text-halted", text: "text-muted", soft: "bg-default" },
  interrupted: { word: "Interrupted", glyph: "text-broken", text: "text-broken-text", soft: "bg-broken-soft" },
};

const SHAPES: Record<RunStatus, ReactNode> = {
  queued: <circle cx="7" cy="7" r="5.4" strokeDasharray="1.7 1.7" />,
  running: (
    <>
      <circle cx="7" cy="7" r="5.4" opacity=".28" />
      <circle
        cx="7"
        cy="7"
        r="5.4"
        strokeDasharray="11 40"
        strokeLinecap="round"
        className="origin-center animate-ring motion-reduce:animate-none"
      />
    </>
  ),
  waiting: (
    <>
      <circle cx="7" cy="7" r="5.4" />
      <circle
        cx="7"
        cy="7"
        r="2.3"
        fill="currentColor"
        stroke="none"
        className="animate-breathe motion-reduce:animate-none"
      />
    </>
  ),
  completed: (
    <>
      <circle cx="7" cy="7" r="6.2" fill="currentColor" stroke="none" />
      <path d="M4.4 7.2l1.8 1.8 3.4-3.7" stroke="var(--surface)" strokeLinecap="round" strokeLinejoin="round" />
    </>
  ),
  limit: (
    <>
      <path d="M3.2 11.3a5.4 5.4 0 1 1 7.6 0" strokeLinecap="round" />
      <path d="M7 7.6l2.5-2.9" strokeLinecap="round" />
    </>
  ),
  failed: (
    <>
      <circle cx="7" cy="7" r="6.2" fill="currentColor" stroke="none" />
      <path d="M5 5l4 4M9 5l-4 4" stroke="var(--surface)" strokeLinecap="round" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="7" cy="7" r="5.4" />
      <path d="M3.4 10.6l7.2-7.2" />
    </>
  ),
  interrupted: <path d="M9.8 2.4A5.4 5.4 0 0 0 2 9M4.2 11.6A5.4 5.4 0 0 0 12 5" strokeLinecap="round" />,
};

export interface StateRingProps {
  status: RunStatus;
  size?: number;
  /** Says the state's word to a screen reader; omit it next to the word itself. */
  labelled?: boolean;
  /** Replaces the state's own word. */
  word?: string;
  /** Not animated, because what it represents is not running at the moment. */
  isStill?: boolean;
  className?: string;
}

/** Every state is a ring, distinguished by shape first and colour second. */
export function StateRing({ status, size = 14, labelled = false, word, isStill, className }: StateRingProps) {
  const look = STATE_LOOK[status];
  const shared = {
    width: size,
    height: size,
    viewBox: "0 0 14 14",
    fill: "none",
    stroke: "currentColor",
    strokeWidth: "1.6",
    className: classNames("shrink-0", look.glyph, isStill && "[&_*]:animate-none", className),
  };
  if (!labelled)
    return (
      <svg aria-hidden="true" {...shared}>
        {SHAPES[status]}
      </svg>
    );
  return (
    <svg role="img" aria-label={word ?? look.word} {...shared}>
      {SHAPES[status]}
    </svg>
  );
}

export interface StateChipProps {
  status: RunStatus;
  note?: ReactNode;
  /** Replaces the state's own word. */
  word?: string;
  className?: string;
}

/** Filled unless all is well and over; a completed run is a grey word with a tick. */
export function StateChip({ status, note, word, className }: StateChipProps) {
  const look = STATE_LOOK[status];
  return (
    <span
      className={classNames(
        "inline-flex h-5 shrink-0 items-center gap-1.5 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap",
        look.soft,
        look.text,
        className,
      )}
    >
      <StateRing status={status} size={12} />
      {word ?? look.word}
      {note ? <span className="tnum font-normal max-sm:hidden">{note}</span> : null}
    </span>
  );
}
