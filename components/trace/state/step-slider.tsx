"use client";
import { ArrowLeft, ArrowRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { type StepStop, stopName } from "@/lib/client/trace/state/step-stops";
import type { StatePlace } from "@/lib/client/trace/state/use-state-place";
import { classNames } from "@/lib/client/ui/class-names";
import { formatTime } from "@/lib/client/ui/text/format";

/** More stops than this are drawn as ticks. */
const MOST_STOPS = 40;
/** More than this have no room for their times. */
const MOST_TIMES = 12;

export interface StepSliderProps {
  stops: readonly StepStop[];
  place: StatePlace;
}

/** The run from its input to its end, one stop per step at equal distance; Shift moves the compared stop. */
export function StepSlider({ stops, place }: StepSliderProps) {
  const { stop, index, otherIndex } = place;
  if (stop === undefined) return null;
  const last = stops.length - 1;
  const shareOf = (at: number) => (last === 0 ? 0.5 : at / last);
  const onKeyDown = (event: KeyboardEvent) => {
    const way = WAYS[event.key];
    if (!event.shiftKey || way === undefined) return;
    event.preventDefault();
    place.compare(otherIndex + way);
  };
  return (
    <div className="flex h-18 shrink-0 items-center gap-4 border-b border-border bg-background px-4 text-xs max-sm:gap-2">
      <span aria-hidden="true" className="font-medium max-sm:hidden">
        Step
      </span>
      <div className="relative h-14 min-w-0 flex-1">
        <input
          type="range"
          aria-label="Step"
          aria-valuetext={`${stopName(stop)}, ${index + 1} of ${stops.length}`}
          min={0}
          max={Math.max(1, last)}
          disabled={last === 0}
          step={1}
          value={index}
          onKeyDown={onKeyDown}
          onChange={(event) => place.show(Number(event.target.value))}
          className="peer absolute inset-x-1 top-0 z-1 h-9 w-[calc(100%-8px)] cursor-pointer opacity-0"
        />
        <span className="pointer-events-none absolute inset-x-4 top-0 h-14 rounded-md peer-focus-visible:outline-2 peer-focus-visible:outline-offset-4 peer-focus-visible:outline-focus">
          <span className="absolute inset-x-0 top-4 h-px bg-border-strong" />
          {otherIndex < 0 ? null : <Way from={shareOf(index)} to={shareOf(otherIndex)} />}
          {stops.map((one, at) => (
            <Stop
              key={one.step}
              stop={one}
              share={shareOf(at)}
              waitShare={one.hasWait && at > 0 ? (shareOf(at) + shareOf(at - 1)) / 2 : null}
              look={lookOf(at, index, otherIndex)}
              count={stops.length}
            />
          ))}
        </span>
      </div>
      <span className="flex shrink-0">
        <IconButton label="Step before" shortcut="←" isDisabled={index === 0} onPress={() => place.show(index - 1)}>
          <ArrowLeft />
        </IconButton>
        <IconButton label="Step after" shortcut="→" isDisabled={index === last} onPress={() => place.show(index + 1)}>
          <ArrowRight />
        </IconButton>
      </span>
    </div>
  );
}

const WAYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

type StopLook = "shown" | "compared" | "plain";

function lookOf(at: number, index: number, otherIndex: number): StopLook {
  if (at === index) return "shown";
  return at === otherIndex ? "compared" : "plain";
}

/** The stretch between the compared steps. */
function Way({ from, to }: { from: number; to: number }) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <span
      className="absolute top-[15px] h-[3px] bg-link"
      style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
    />
  );
}

const CIRCLES: Readonly<Record<StopLook, string>> = {
  shown: "border-foreground bg-foreground text-background font-semibold",
  compared: "border-2 border-link bg-background text-link font-medium",
  plain: "border-border-strong bg-background text-muted",
};

interface StopProps {
  stop: StepStop;
  share: number;
  waitShare: number | null;
  look: StopLook;
  count: number;
}

function Stop({ stop, share, waitShare, look, count }: StopProps) {
  const isTick = count > MOST_STOPS && look === "plain";
  const time = look === "shown" || count <= MOST_TIMES ? timeOf(stop) : "";
  return (
    <>
      {waitShare === null ? null : (
        <span
          title="A person was waited for"
          className="hatch absolute top-[11px] h-2.5 w-6 -translate-x-1/2 rounded-xs border border-signal [--hatch:var(--signal)]"
          style={{ left: `${waitShare * 100}%` }}
        />
      )}
      {isTick ? (
        <span className="absolute top-3 h-2 w-px bg-border-strong" style={{ left: `${share * 100}%` }} />
      ) : (
        <span
          className={classNames(
            "tnum absolute top-1.5 flex h-5 min-w-5 -translate-x-1/2 items-center justify-center rounded-full border px-1 text-2xs",
            CIRCLES[look],
          )}
          style={{ left: `${share * 100}%` }}
        >
          {stop.isEnd ? "End" : stop.step}
        </span>
      )}
      {time === "" ? null : (
        <span
          className={classNames(
            "tnum absolute top-9 -translate-x-1/2 text-2xs whitespace-nowrap",
            look === "shown" ? "font-medium" : "text-muted max-md:hidden",
          )}
          style={{ left: `${share * 100}%` }}
        >
          {time}
        </span>
      )}
    </>
  );
}

function timeOf({ step, atMs }: StepStop): string {
  if (step === 1) return "input";
  return atMs === null ? "" : formatTime(atMs);
}
