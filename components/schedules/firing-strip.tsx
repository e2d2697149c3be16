"use client";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { type FiringSign, SIGN_LABELS, signOf } from "@/lib/client/schedules/schedule-labels";
import { classNames } from "@/lib/client/ui/class-names";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { FiringDetails } from "./firing-details";

/** 5 × 16: the shape conveys it before the colour does. */
const LOOKS: Readonly<Record<FiringSign, string>> = {
  claimed: "h-2.5 border border-dashed border-live",
  ran: "h-2.5 bg-halted",
  "tool-failed":
    "relative h-2.5 bg-halted before:absolute before:-top-1.5 before:left-0.5 before:size-[4px] before:-translate-x-px before:rounded-full before:bg-fail",
  failed:
    "relative h-4 bg-fail after:absolute after:inset-0 after:text-center after:text-[7px] after:leading-4 after:text-surface after:content-['×']",
  skipped: "h-2.5 border border-border-strong",
  missed: "h-0.5 bg-foreground",
  late: "mb-1 h-2.5 bg-halted relative after:absolute after:-bottom-1 after:inset-x-0 after:h-0.5 after:bg-foreground",
  waits: "h-4 hatch border border-signal-line [--hatch:var(--signal)]",
  limit: "h-4 border border-limit border-b-[6px]",
  running: "h-4 border border-live border-b-[8px]",
  refused: "h-4 border border-fail",
};

export function FiringGlyph({ sign }: { sign: FiringSign }) {
  return <span aria-hidden className={classNames("block w-[5px] shrink-0 rounded-[1px]", LOOKS[sign])} />;
}

/** How many firings a strip has room for. */
const ROOM = 30;

/** The past firings, the latest on the right; clicking the strip lists each with its time, reason and outcome. */
export function FiringStrip({ schedule }: { schedule: Schedule }) {
  const { firings, name } = schedule;
  const [at, setAt] = useState(-1);
  if (firings.length === 0) return <span className="text-xs text-muted">not yet</span>;
  const index = at === -1 ? firings.length - 1 : Math.min(at, firings.length - 1);
  const shown = firings[index];
  const move = (by: number) => setAt(Math.min(firings.length - 1, Math.max(0, index + by)));
  return (
    <DialogTrigger>
      <AriaButton
        aria-label={`Past ${firings.length} of ${name}: ${shown ? SIGN_LABELS[signOf(shown)] : ""}`}
        className="flex h-6 items-end gap-0.5 rounded-sm px-1 py-1 hover:bg-default touch-row"
      >
        <span
          aria-hidden
          className="h-px shrink-0 self-center bg-[radial-gradient(circle,var(--border-strong)_0.8px,transparent_1px)] bg-size-[7px_100%] max-xl:hidden"
          style={{ width: Math.max(0, ROOM - firings.length) * 7, height: 3 }}
        />
        {firings.map((firing) => (
          <FiringGlyph key={firing.id} sign={signOf(firing)} />
        ))}
      </AriaButton>
      <Popover
        placement="bottom end"
        className="overlay-motion w-[300px] max-w-[calc(100vw-24px)] rounded-lg bg-overlay p-3 shadow-overlay"
      >
        <Dialog aria-label={`Firings of ${name}`} className="outline-none">
          <fieldset
            aria-label="Arrow keys show other firings"
            className="min-w-0"
            onKeyDown={(event) => {
              if (event.key === "ArrowLeft") move(-1);
              if (event.key === "ArrowRight") move(1);
            }}
          >
            {shown ? (
              <FiringDetails
                firing={shown}
                timezone={schedule.timezone}
                glyph={<FiringGlyph sign={signOf(shown)} />}
                outcome={SIGN_LABELS[signOf(shown)]}
                aside={shown.count > 1 ? ` ${shown.count} times` : null}
              />
            ) : null}
            <p className="mt-2 flex items-center gap-2 border-t border-separator pt-2 text-xs text-muted">
              <AriaButton
                aria-label="Earlier firing"
                isDisabled={index === 0}
                onPress={() => move(-1)}
                className="size-6 rounded-sm hover:bg-default disabled:opacity-40"
              >
                ←
              </AriaButton>
              {index + 1} of {firings.length}
              <AriaButton
                aria-label="Later firing"
                isDisabled={index === firings.length - 1}
                onPress={() => move(1)}
                className="size-6 rounded-sm hover:bg-default disabled:opacity-40"
              >
                →
              </AriaButton>
            </p>
          </fieldset>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
