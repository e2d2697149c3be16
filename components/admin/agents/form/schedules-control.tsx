"use client";
import { Plus, X } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { FIELD } from "@/components/ui/controls/text-field";
import { isObject, isSame } from "@/lib/client/agents/config-text/config-values";
import { classNames } from "@/lib/client/ui/class-names";
import { readTimeText, type ScheduleTime, timeLabel } from "@/lib/schema/triggers/schedule-time";
import type { ControlProps } from "./plain-controls";

const SMALL = classNames(FIELD, "px-2 text-xs!");
const NEW = { name: "", cron: "0 9 * * 1-5", prompt: "" };

/** The times at which the agent starts automatically, and its prompts; a schedule's other fields are in the YAML. */
export function SchedulesControl({ id, value, onChange, before }: ControlProps & { before: unknown }) {
  const schedules: readonly unknown[] = Array.isArray(value) ? value : [];
  const live: readonly unknown[] = Array.isArray(before) ? before : [];
  const [typed, setTyped] = useState<readonly (TypedTime | undefined)[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const put = (next: readonly unknown[]) => onChange(next.length === 0 ? undefined : next);
  const add = () => {
    put([...schedules, NEW]);
    // Words of rows that left otherwise, as by an edit of the YAML, must not stand in the new one.
    setTyped(schedules.map((_, row) => typed[row]));
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus());
  };
  const remove = (index: number) => {
    put(schedules.toSpliced(index, 1));
    setTyped(schedules.map((_, row) => typed[row]).toSpliced(index, 1));
  };
  const type = (index: number, time: TypedTime) =>
    setTyped(schedules.map((_, row) => (row === index ? time : typed[row])));
  return (
    <div>
      <ul ref={list} className="overflow-hidden rounded-lg border border-border bg-surface empty:hidden">
        {schedules.map((schedule, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a name is typed while its row keeps the focus.
            key={index}
            className={classNames(
              "relative flex items-start gap-1 border-b border-separator p-1.5 last:border-b-0",
              !live.some((other) => isSame(other, schedule)) &&
                "before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-ok",
            )}
          >
            <ScheduleFields
              schedule={schedule}
              name={`Schedule ${index + 1}`}
              typed={typed[index]}
              onTyped={(time) => type(index, time)}
              onSchedule={(next) => put(schedules.with(index, next))}
            />
            <IconButton label={`Remove schedule ${index + 1}`} size="xs" onPress={() => remove(index)}>
              <X />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button id={id} variant="ghost" onPress={add} className="mt-1">
        <Plus aria-hidden />
        Add a schedule
      </Button>
    </div>
  );
}

/** Words that are not understood yet stay as typed; the time they were typed for stays unchanged. */
interface TypedTime {
  words: string;
  time: ScheduleTime;
}

interface ScheduleFieldsProps {
  schedule: unknown;
  name: string;
  typed: TypedTime | undefined;
  onTyped: (typed: TypedTime) => void;
  onSchedule: (schedule: unknown) => void;
}

function ScheduleFields({ schedule, name, typed, onTyped, onSchedule }: ScheduleFieldsProps) {
  if (!isObject(schedule)) {
    return (
      <span className="min-w-0 flex-1 truncate py-1 font-mono text-2xs" title="Edit this schedule in the YAML">
        {JSON.stringify(schedule)}
      </span>
    );
  }
  const { cron, every, at, ...others } = schedule;
  const time = timeOf({ cron, every, at });
  const isTyped = typed !== undefined && isSame(typed.time, time);
  const words = isTyped ? typed.words : timeLabel(time);
  const isUnread = isTyped && readTimeText(words) === null;
  const setTime = (text: string) => {
    const read = readTimeText(text);
    onTyped({ words: text, time: read ?? time });
    // The name comes first, the time second, as people write it.
    if (read !== null) onSchedule({ name: others.name, ...read, ...others });
  };
  return (
    <div className="grid min-w-0 flex-1 grid-cols-2 gap-1 max-sm:grid-cols-1">
      <input
        aria-label={`${name}, name`}
        value={textOf(others.name)}
        placeholder="Morning brief"
        onChange={({ target }) => onSchedule({ ...schedule, name: target.value })}
        className={classNames(SMALL, "h-7 touch-row")}
      />
      <span className="flex min-w-0 flex-col">
        <input
          aria-label={`${name}, when`}
          aria-invalid={isUnread || undefined}
          value={words}
          placeholder="every weekday at 9"
          onChange={({ target }) => setTime(target.value)}
          className={classNames(SMALL, "h-7 touch-row")}
        />
        {isUnread ? (
          <span role="status" className="text-2xs text-fail-text">
            Not understood yet. Try “every weekday at 9”.
          </span>
        ) : null}
      </span>
      <textarea
        aria-label={`${name}, prompt`}
        value={textOf(others.prompt)}
        placeholder="What the agent is to do"
        rows={2}
        onChange={({ target }) => onSchedule({ ...schedule, prompt: target.value })}
        className={classNames(SMALL, "col-span-full py-1")}
      />
    </div>
  );
}

function timeOf({ cron, every, at }: { cron: unknown; every: unknown; at: unknown }): ScheduleTime {
  if (typeof cron === "string") return { cron };
  if (typeof every === "string") return { every };
  return typeof at === "string" ? { at } : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
