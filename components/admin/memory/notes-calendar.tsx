"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/ui/controls/icon-button";
import { agentQuery } from "@/lib/client/agents/agent-queries";
import { longDay, monthLabel, moveMonth, weeksOf } from "@/lib/client/memory/memory-labels";
import { memoryDaysQuery } from "@/lib/client/memory/memory-queries";
import { classNames } from "@/lib/client/ui/class-names";
import type { MemoryDays, MemoryDocument } from "@/lib/schema/files/memory";
import type { MemoryPlace } from "./memory-page";

interface NotesCalendarProps {
  place: MemoryPlace;
  onDay: (day: string) => void;
  onOpen: (document: MemoryDocument) => void;
}

const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/** The days of a month; a dot marks a day with notes. Days are in UTC, like the notes. */
export function NotesCalendar({ place, onDay, onOpen }: NotesCalendarProps) {
  const today = new Date().toISOString().slice(0, 10);
  const opened = (place.day ?? today).slice(0, 7);
  const [turned, setTurned] = useState({ from: opened, month: opened });
  // Another day may be in another month.
  const month = turned.from === opened ? turned.month : opened;
  const turn = (step: number) => setTurned({ from: opened, month: moveMonth(month, step) });
  const days = useQuery(memoryDaysQuery(place, month)).data ?? [];
  const withNotes = new Map(days.map((day) => [day.date, day.documents]));
  const open = (date: string) => {
    const [note, ...others] = withNotes.get(date) ?? [];
    if (note && others.length === 0) onOpen(note);
    else onDay(date);
  };
  return (
    <section aria-label="Daily notes" className="px-4 pb-3">
      <header className="flex h-8 items-center text-xs">
        <h2 className="text-muted">Daily notes</h2>
        <span className="flex-1" />
        <IconButton label="Previous month" size="xs" onPress={() => turn(-1)}>
          <ChevronLeft />
        </IconButton>
        <span aria-live="polite" className="w-16 text-center font-medium">
          {monthLabel(month)}
        </span>
        <IconButton label="Next month" size="xs" onPress={() => turn(1)}>
          <ChevronRight />
        </IconButton>
      </header>
      <table className="w-full table-fixed text-center text-xs">
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" className="h-6 font-normal text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((date) => date !== null)}>
              {week.map((date, at) => (
                <td key={WEEKDAYS[at]} className="p-0">
                  {date === null ? null : (
                    <Day
                      date={date}
                      hasNotes={withNotes.has(date)}
                      isOpen={date === place.day}
                      isLater={date > today}
                      onOpen={() => open(date)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <CalendarSummary agentId={place.agentId} days={days} />
    </section>
  );
}

interface DayProps {
  date: string;
  hasNotes: boolean;
  isOpen: boolean;
  isLater: boolean;
  onOpen: () => void;
}

function Day({ date, hasNotes, isOpen, isLater, onOpen }: DayProps) {
  return (
    <button
      type="button"
      aria-label={`${longDay(date)}${hasNotes ? ", has notes" : ""}`}
      aria-current={isOpen ? "date" : undefined}
      onClick={onOpen}
      className={classNames(
        "tnum relative inline-flex size-[30px] items-center justify-center rounded-md hover:bg-default aria-[current=date]:bg-surface aria-[current=date]:font-semibold aria-[current=date]:ring-1 aria-[current=date]:ring-border-strong pointer-coarse:size-11",
        isLater && "text-muted",
      )}
    >
      {Number(date.slice(8))}
      {hasNotes ? <span aria-hidden className="absolute bottom-[3px] size-1 rounded-full bg-foreground" /> : null}
    </button>
  );
}

function CalendarSummary({ agentId, days }: { agentId: string; days: MemoryDays["days"] }) {
  const agent = useQuery(agentQuery(agentId)).data;
  const read = notesRead(agent?.config ?? null);
  const found = `${days.length} ${days.length === 1 ? "day" : "days"} with notes`;
  const words = read === null ? `${found}.` : `${found}; runs read the last ${read}.`;
  return <p className="mt-2 text-xs text-muted">{words}</p>;
}

/** For how many days each run reads the notes; null if it reads none. */
function notesRead(config: Readonly<Record<string, unknown>> | null): number | null {
  const memory = config?.memory;
  if (typeof memory !== "object" || memory === null) return null;
  const { paths, daily_notes_days: days = DEFAULT_DAYS } = memory as { paths?: unknown; daily_notes_days?: unknown };
  return Array.isArray(paths) && paths.length > 0 && typeof days === "number" && days > 0 ? days : null;
}

/** Default of `memory.daily_notes_days`. */
const DEFAULT_DAYS = 3;
