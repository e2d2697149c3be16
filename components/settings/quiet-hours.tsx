"use client";
import Link from "next/link";
import { type ReactNode, useId, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { Switch } from "@/components/ui/controls/switch";
import { FIELD, FIELD_LABEL } from "@/components/ui/controls/text-field";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { QuietHours as Hours } from "@/lib/schema/users/notification";

const USUAL: Hours = { from: "22:00", to: "07:00", decisionsPass: true };

export interface QuietHoursProps {
  hours: Hours | null;
  timeZone: string;
  onChange: (hours: Hours | null) => void;
}

/** A time of day in which nothing is sent; what comes up is sent when it ends. */
export function QuietHours({ hours, timeZone, onChange }: QuietHoursProps) {
  const [last, setLast] = useState(hours ?? USUAL);
  const change = (part: Partial<Hours>) => {
    const next = { ...last, ...hours, ...part };
    setLast(next);
    if (!isUnsaved(next)) onChange(next);
  };
  const shown = hours === null || isUnsaved(last) ? last : hours;
  return (
    <section aria-label="Quiet hours" className="mt-6">
      <header className="flex items-center gap-2">
        <h2 className="text-sm font-semibold">Quiet hours</h2>
        <Switch label="Quiet hours" isOn={hours !== null} onChange={(isOn) => onChange(isOn ? last : null)} />
        <span className="flex-1" />
        <ZoneNow timeZone={timeZone} />
      </header>
      {hours === null ? null : (
        <div className="mt-2 rounded-lg border border-border p-3">
          <DayBar {...hours} timeZone={timeZone} />
          <div className="mt-3 flex flex-wrap items-end gap-3">
            <ClockField label="From" value={shown.from} onChange={(from) => change({ from })} />
            <ClockField label="To" value={shown.to} onChange={(to) => change({ to })} />
            <DayField days={shown.days ?? EVERY_DAY} onChange={(days) => change({ days: [...days] })} />
          </div>
          {shown.from === shown.to ? (
            <p role="alert" className="mt-2 text-xs text-fail-text">
              The end must differ from the beginning. Nothing was changed.
            </p>
          ) : null}
          <div className="mt-3">
            <Option isOn={hours.decisionsPass} onChange={(decisionsPass) => change({ decisionsPass })}>
              Let “Needs my decision” through
            </Option>
            <Option isOn={hours.summary ?? false} onChange={(summary) => change({ summary })}>
              Keep the rest, and send one summary at {hours.to}
            </Option>
          </div>
          {hours.summary ? null : (
            <p className="mt-1 text-xs text-muted">Everything else is kept and sent when the quiet hours end.</p>
          )}
        </div>
      )}
    </section>
  );
}

function Option({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Checkbox isSelected={isOn} onChange={onChange} className="flex min-h-7 items-center gap-2 text-sm touch-row">
      {({ isSelected, isFocusVisible }) => (
        <>
          <span
            aria-hidden="true"
            className={`flex size-4 shrink-0 items-center justify-center rounded-xs border text-2xs leading-none ${
              isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"
            } ${isFocusVisible ? "ring-2 ring-focus ring-offset-1" : ""}`}
          >
            {isSelected ? "✓" : ""}
          </span>
          <span>{children}</span>
        </>
      )}
    </Checkbox>
  );
}

/** Whether the typed hours can't be saved. */
function isUnsaved({ from, to }: Hours): boolean {
  return from === to || from === "" || to === "";
}

function ZoneNow({ timeZone }: { timeZone: string }) {
  const now = useHalfMinute();
  return (
    <span className="tnum text-xs text-muted">
      <Link href="/settings/account" className="underline underline-offset-2">
        {timeZone}
      </Link>
      {now === null ? "" : `, now ${clockIn(now, timeZone)}`}
    </span>
  );
}

function clockIn(atMs: number, timeZone: string): string {
  return new Date(atMs).toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
}

function ClockField({ label, value, onChange }: { label: string; value: string; onChange: (clock: string) => void }) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={FIELD_LABEL}>
        {label}
      </label>
      <input
        id={id}
        type="time"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={`${FIELD} tnum h-8 w-28`}
      />
    </div>
  );
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6] as const;
/** Monday first. */
const WEEK = [
  { day: 1, name: "Monday" },
  { day: 2, name: "Tuesday" },
  { day: 3, name: "Wednesday" },
  { day: 4, name: "Thursday" },
  { day: 5, name: "Friday" },
  { day: 6, name: "Saturday" },
  { day: 0, name: "Sunday" },
] as const;

/** The days on which the quiet hours begin; at least one remains. */
function DayField({ days, onChange }: { days: readonly number[]; onChange: (days: readonly number[]) => void }) {
  const toggle = (day: number) => {
    const next = days.includes(day) ? days.filter((one) => one !== day) : [...days, day].toSorted();
    if (next.length > 0) onChange(next);
  };
  return (
    <fieldset aria-label="Days on which they begin" className="flex gap-1">
      {WEEK.map(({ day, name }) => {
        const isOn = days.includes(day);
        return (
          <button
            key={day}
            type="button"
            aria-label={name}
            aria-pressed={isOn}
            onClick={() => toggle(day)}
            className={`flex size-8 items-center justify-center rounded-md border text-xs font-medium touch-row ${
              isOn ? "border-accent bg-accent text-accent-foreground" : "border-border-strong text-muted"
            }`}
          >
            {name.charAt(0)}
          </button>
        );
      })}
    </fieldset>
  );
}

const DAY_MINUTES = 24 * 60;
/** The labels below the day. */
const HOURS = ["00:00", "04:00", "08:00", "12:00", "16:00", "20:00", "24:00"];
const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const percent = (minutes: number) => `${(minutes / DAY_MINUTES) * 100}%`;

/** The 24 hours, the quiet ones hatched, with now as a line. */
function DayBar({ from, to, timeZone }: Hours & { timeZone: string }) {
  const now = useHalfMinute();
  const [begin, end] = [minutesOf(from), minutesOf(to)];
  const parts =
    begin < end
      ? [[begin, end]]
      : [
          [0, end],
          [begin, DAY_MINUTES],
        ];
  return (
    <div aria-hidden="true">
      <div className="relative h-4 bg-default">
        {parts.map(([left = 0, right = 0]) => (
          <span
            key={left}
            className="absolute inset-y-0"
            style={{
              left: percent(left),
              width: percent(right - left),
              background: "repeating-linear-gradient(135deg, var(--muted) 0 2px, transparent 2px 6px)",
            }}
          />
        ))}
        {now === null ? null : (
          <span
            className="absolute -inset-y-1 w-0.5 bg-foreground"
            style={{ left: percent(minutesOf(clockIn(now, timeZone))) }}
          />
        )}
      </div>
      <div className="tnum relative mt-1 h-4 text-2xs text-muted">
        {HOURS.map((clock) => (
          <span
            key={clock}
            className="absolute -translate-x-1/2 first:translate-x-0 last:-translate-x-full"
            style={{ left: percent(minutesOf(clock)) }}
          >
            {clock}
          </span>
        ))}
      </div>
    </div>
  );
}
