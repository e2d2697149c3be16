"use client";
import { useLayoutEffect, useRef, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { FiringDetails } from "@/components/schedules/firing-details";
import {
  everyMs,
  HEARTBEAT_LABELS,
  type HeartbeatSign,
  heartbeatSign,
  pausesOf,
  pauseText,
} from "@/lib/client/heartbeats/heartbeat-labels";
import type { Heartbeat, HeartbeatRun } from "@/lib/schema/triggers/heartbeat";

const PITCH = 19;
const LEFT = 46;
const MIDDLE = 58;
const STEP = 12;
const LOWEST = 128;
/** Between two labels above the strip. */
const LABEL_WIDTH = 150;
const LABEL_CHARS = 24;

/** 10 × 10 at most: a disc, a dot, an open ring, a cross, a half ring. */
function HeartbeatGlyph({ sign }: { sign: HeartbeatSign }) {
  return (
    <svg aria-hidden width="12" height="12" viewBox="0 0 12 12" className="shrink-0">
      {sign === "said" ? <circle cx="6" cy="6" r="5.4" className="fill-foreground" /> : null}
      {sign === "silent" ? <circle cx="6" cy="6" r="4" className="fill-halted" /> : null}
      {sign === "none" ? <circle cx="6" cy="6" r="3.2" strokeWidth="1.2" className="fill-none stroke-halted" /> : null}
      {sign === "running" ? (
        <circle cx="6" cy="6" r="4.4" strokeWidth="1.8" strokeDasharray="14 14" className="fill-none stroke-live" />
      ) : null}
      {sign === "failed" ? (
        <>
          <circle cx="6" cy="6" r="5.4" className="fill-fail" />
          <path d="M4.2 4.2l3.6 3.6M7.8 4.2l-3.6 3.6" strokeWidth="1.4" className="stroke-surface" />
        </>
      ) : null}
    </svg>
  );
}

/** The last 48 beats, the latest on the right, with what was said above and the pause below; a click shows the rest. */
export function HeartbeatStrip({ heartbeat }: { heartbeat: Heartbeat }) {
  const { firings: beats, agentName } = heartbeat;
  const [at, setAt] = useState(-1);
  const [isOpen, setOpen] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const anchor = useRef<Element | null>(null);
  const count = beats.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the latest beats are what one wants to see first
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth;
  }, [count]);
  if (count === 0) return <p className="px-4 pb-4 text-sm text-muted">No beat yet.</p>;
  const index = at === -1 ? count - 1 : Math.min(at, count - 1);
  const shown = beats[index];
  const move = (to: number) => {
    const next = Math.min(count - 1, Math.max(0, to));
    setAt(next);
    if (!isOpen) list.current?.querySelectorAll<HTMLElement>("button")[next]?.focus();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: count,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return (
    <div ref={scroller} className="overflow-x-auto px-4 pb-1">
      <div className="relative h-[158px] w-[960px]">
        <StripPicture heartbeat={heartbeat} />
        <div
          ref={list}
          role="toolbar"
          aria-label={`Last ${count} beats of ${agentName}; arrow keys move, Enter tells more`}
          onKeyDown={onKeyDown}
          className="absolute inset-0"
        >
          {beats.map((beat, place) => (
            <button
              key={beat.id}
              type="button"
              tabIndex={place === index ? 0 : -1}
              aria-label={`${timeOf(beat, heartbeat)}: ${HEARTBEAT_LABELS[heartbeatSign(beat)]}`}
              onFocus={() => setAt(place)}
              onClick={(event) => {
                anchor.current = event.currentTarget;
                setAt(place);
                setOpen(true);
              }}
              className="absolute flex size-[19px] items-center justify-center rounded-sm outline-none hover:bg-default focus-visible:outline-2 focus-visible:outline-focus"
              style={{ left: LEFT + place * PITCH, top: MIDDLE - PITCH / 2 }}
            >
              <HeartbeatGlyph sign={heartbeatSign(beat)} />
            </button>
          ))}
        </div>
      </div>
      <Popover
        triggerRef={anchor}
        isOpen={isOpen}
        onOpenChange={setOpen}
        placement="bottom"
        className="overlay-motion w-[320px] max-w-[calc(100vw-24px)] rounded-lg bg-overlay p-3 shadow-overlay"
      >
        <Dialog aria-label={`Beats of ${agentName}`} className="outline-none">
          <fieldset aria-label="Arrow keys show other beats" className="min-w-0" onKeyDown={onKeyDown}>
            {shown ? (
              <HeartbeatRunSummary beat={shown} heartbeat={heartbeat} place={`${index + 1} of ${count}`} />
            ) : null}
          </fieldset>
        </Dialog>
      </Popover>
    </div>
  );
}

interface HeartbeatRunSummaryProps {
  beat: HeartbeatRun;
  heartbeat: Heartbeat;
  place: string;
}

function HeartbeatRunSummary({ beat, heartbeat: { zone }, place }: HeartbeatRunSummaryProps) {
  const sign = heartbeatSign(beat);
  return (
    <FiringDetails
      firing={beat}
      timezone={zone}
      glyph={<HeartbeatGlyph sign={sign} />}
      outcome={HEARTBEAT_LABELS[sign]}
      aside={<span className="tnum ml-auto text-xs font-normal text-muted">{place}</span>}
      said={beat.said}
    >
      {beat.pauseMs === null ? null : (
        <>
          <dt className="text-muted">Pause</dt>
          <dd>{pauseText(beat.pauseMs)} before it</dd>
        </>
      )}
    </FiringDetails>
  );
}

const AXIS = "fill-subtle text-[11px]";

/** The background of the beats: days, the pause as a stepped line, and what was said. */
function StripPicture({ heartbeat }: { heartbeat: Heartbeat }) {
  const { firings: beats } = heartbeat;
  const pauses = pausesOf(heartbeat);
  const yOf = (pauseMs: number) => {
    const level = pauses.findLastIndex((pause) => pause <= pauseMs);
    return LOWEST - Math.max(0, level) * STEP;
  };
  const xOf = (place: number) => LEFT + place * PITCH;
  const line = beats
    .map(
      ({ pauseMs }, place) =>
        `${place === 0 ? "M" : "V"}${place === 0 ? `${xOf(0)} ` : ""}${yOf(pauseMs ?? everyMs(heartbeat))}H${xOf(place + 1)}`,
    )
    .join("");
  const days = beats.flatMap((beat, place) => {
    const day = dayOf(beat, heartbeat);
    const before = beats[place - 1];
    return before && dayOf(before, heartbeat) === day ? [] : [{ day, place }];
  });
  return (
    <svg aria-hidden width="960" height="158" viewBox="0 0 960 158" className="absolute inset-0">
      {pauses.map((pause) => (
        <g key={pause}>
          <text x="38" y={yOf(pause) + 4} textAnchor="end" className={AXIS}>
            {pauseText(pause)}
          </text>
          <line x1="42" x2="958" y1={yOf(pause)} y2={yOf(pause)} className="stroke-separator" />
        </g>
      ))}
      {days.map(({ day, place }, number) => (
        <g key={day}>
          {place === 0 ? null : (
            <line
              x1={xOf(place)}
              x2={xOf(place)}
              y1="44"
              y2="138"
              strokeDasharray="2 3"
              className="stroke-border-strong"
            />
          )}
          {(days[number + 1]?.place ?? beats.length + 3) - place < 3 ? null : (
            <text x={xOf(place) + 4} y="152" className={AXIS}>
              {day}
            </text>
          )}
        </g>
      ))}
      <path d={line} strokeWidth="1.25" className="fill-none stroke-foreground" />
      {labelsOf(beats).map(({ beat, place, isLast }) => {
        const x = xOf(place) + PITCH / 2;
        const edge = isLast ? { x: x + 5, textAnchor: "end" as const } : { x: x - 5 };
        return (
          <g key={beat.id}>
            <line x1={x} x2={x} y1="28" y2="52" className="stroke-foreground" />
            <text {...edge} y="12" className="fill-foreground text-xs font-medium">
              {shorten(beat.said ?? "")}
            </text>
            <text {...edge} y="25" className={AXIS}>
              {`said ${timeOf(beat, heartbeat)}`}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** The latest that fit next to each other. */
function labelsOf(beats: readonly HeartbeatRun[]) {
  const labels: { beat: HeartbeatRun; place: number; isLast: boolean }[] = [];
  let free = Number.POSITIVE_INFINITY;
  for (const [place, beat] of [...beats.entries()].toReversed()) {
    if (beat.said === null) continue;
    const x = place * PITCH;
    const isLast = x + LABEL_WIDTH > 48 * PITCH;
    const [from, to] = isLast ? [x - LABEL_WIDTH, x] : [x, x + LABEL_WIDTH];
    if (to > free) continue;
    free = from;
    labels.push({ beat, place, isLast });
  }
  return labels;
}

function shorten(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length <= LABEL_CHARS ? line : `${line.slice(0, LABEL_CHARS - 1).trimEnd()}…`;
}

function dayOf({ dueAt }: HeartbeatRun, { zone: timeZone }: Heartbeat): string {
  return new Date(dueAt).toLocaleDateString("en-GB", { timeZone, weekday: "short", day: "numeric" });
}

function timeOf({ dueAt }: HeartbeatRun, { zone: timeZone }: Heartbeat): string {
  const options = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Date(dueAt).toLocaleString("en-GB", options).replace(",", "");
}

const LEGEND: readonly HeartbeatSign[] = ["said", "silent", "none", "failed"];

/** Number of shown beats of each kind. */
export function HeartbeatLegend({ beats }: { beats: readonly HeartbeatRun[] }) {
  if (beats.length === 0) return null;
  const count = (sign: HeartbeatSign) => beats.filter((beat) => heartbeatSign(beat) === sign).length;
  return (
    <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 text-xs text-muted">
      {LEGEND.map((sign) => (
        <span key={sign} className="tnum flex items-center gap-1.5">
          <HeartbeatGlyph sign={sign} />
          {HEARTBEAT_LABELS[sign]} {count(sign) || null}
        </span>
      ))}
      <span className="flex items-center gap-1.5">
        <svg aria-hidden width="14" height="12">
          <path d="M0 10H6V3H14" strokeWidth="1.25" className="fill-none stroke-foreground" />
        </svg>
        pause before it
      </span>
    </p>
  );
}
