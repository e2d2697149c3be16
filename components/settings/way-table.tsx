"use client";
import Link from "next/link";
import { Checkbox } from "react-aria-components/Checkbox";
import { LazySelect } from "@/components/ui/controls/lazy-select";
import type {
  NotificationHow,
  NotificationKind,
  NotificationPreferences,
  NotificationWay,
} from "@/lib/schema/users/notification";

const KINDS: readonly { readonly id: NotificationKind; readonly label: string; readonly meaning: string }[] = [
  { id: "decision", label: "Needs my decision", meaning: "an approval, a question, a connection" },
  { id: "finished", label: "A run finished", meaning: "one that ran without me, or longer than 5 min" },
  { id: "failed", label: "A run failed", meaning: "also at a limit, or interrupted by the server" },
  { id: "budget", label: "A budget is reached", meaning: "the run waits for more, or was stopped" },
  { id: "schedule", label: "A schedule was missed or paused", meaning: "with why, and what it did about it" },
  { id: "delivery", label: "A delivery was given up", meaning: "after its last attempt" },
  { id: "board", label: "A board is done", meaning: "all of its cards are" },
  { id: "alert", label: "An alert on runs fires", meaning: "and when it has recovered" },
];
const WAYS: readonly { readonly id: NotificationWay; readonly label: string }[] = [
  { id: "page", label: "In page" },
  { id: "push", label: "Push" },
  { id: "email", label: "Email" },
  { id: "channel", label: "Channel" },
];

const HOWS: readonly { readonly id: NotificationHow; readonly name: string }[] = [
  { id: "at_once", name: "at once" },
  { id: "daily", name: "together, once a day" },
];

export interface WayTableProps {
  ways: NotificationPreferences["ways"];
  how: NotificationPreferences["how"];
  onHow: (kind: NotificationKind, how: NotificationHow) => void;
  /** Without a mail server no mail can be chosen, without a linked chat no channel. */
  can: Readonly<Partial<Record<NotificationWay, boolean>>>;
  onChange: (kind: NotificationKind, way: NotificationWay, isOn: boolean) => void;
}

/**
 * One box per kind of notification and way of sending it, and whether each is sent at once. On a phone that is a line
 * below the boxes.
 */
export function WayTable({ ways, how, can, onChange, onHow }: WayTableProps) {
  return (
    <table className="w-full border-separate border-spacing-0 rounded-lg border border-border text-sm">
      <thead>
        <tr className={`${ROW} text-xs text-muted`}>
          <th scope="col" className="pl-4 text-left font-normal max-sm:py-2.5 sm:h-9">
            Tell me when
          </th>
          {WAYS.map(({ id, label }) => (
            <th key={id} scope="col" className="w-[72px] text-center font-normal max-sm:w-auto max-sm:text-2xs">
              {id === "channel" && can.channel === false ? (
                <Link href="/settings/channels" className="text-link underline">
                  {label}
                </Link>
              ) : (
                label
              )}
            </th>
          ))}
          <th scope="col" className="w-[190px] pl-2 text-left font-normal max-sm:hidden">
            How
          </th>
        </tr>
      </thead>
      <tbody>
        {KINDS.map(({ id: kind, label, meaning }) => (
          <tr key={kind} className={`${ROW} max-sm:border-t max-sm:border-separator`}>
            <th
              scope="row"
              className="py-1 pl-4 text-left font-normal max-sm:pb-0 sm:h-12 sm:border-t sm:border-separator"
            >
              <span className="block font-medium">{label}</span>
              <span className="block text-xs text-muted">{meaning}</span>
            </th>
            {WAYS.map(({ id: way, label: name }) => (
              <td key={way} className="text-center sm:border-t sm:border-separator">
                <WayBox
                  label={`${label}: ${name}`}
                  isOn={ways[kind][way]}
                  isDisabled={can[way] === false && !ways[kind][way]}
                  onChange={(isOn) => onChange(kind, way, isOn)}
                />
              </td>
            ))}
            <td className="px-2 max-sm:col-span-5 max-sm:pb-1 sm:border-t sm:border-separator">
              <LazySelect
                label={`How: ${label}`}
                options={HOWS}
                value={how[kind] ?? "at_once"}
                onChange={(id) => onHow(kind, id === "daily" ? "daily" : "at_once")}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const ROW = "max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_repeat(4,2.75rem)] max-sm:items-center max-sm:pr-1";

interface WayBoxProps {
  label: string;
  isOn: boolean;
  isDisabled: boolean;
  onChange: (isOn: boolean) => void;
}

function WayBox({ label, isOn, isDisabled, onChange }: WayBoxProps) {
  return (
    <Checkbox
      aria-label={label}
      isSelected={isOn}
      isDisabled={isDisabled}
      onChange={onChange}
      className="inline-flex size-8 cursor-pointer items-center justify-center touch-target data-[disabled]:cursor-default"
    >
      {({ isSelected, isFocusVisible }) => (
        <span
          aria-hidden="true"
          className={`flex size-4 items-center justify-center rounded-xs border text-2xs leading-none ${
            isSelected ? "border-accent bg-accent text-accent-foreground" : "border-border-strong"
          } ${isDisabled ? "border-dashed opacity-60" : ""} ${isFocusVisible ? "ring-2 ring-focus ring-offset-1" : ""}`}
        >
          {isSelected ? "✓" : ""}
        </span>
      )}
    </Checkbox>
  );
}
