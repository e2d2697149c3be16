"use client";
import Link from "next/link";
import { Checkbox } from "react-aria-components/Checkbox";
import type { NotificationKind, NotificationPreferences, NotificationWay } from "@/lib/schema/users/notification";

const KINDS: readonly { readonly id: NotificationKind; readonly label: string; readonly meaning: string }[] = [
  { id: "decision", label: "Needs my decision", meaning: "an approval, a question, a connection" },
  { id: "finished", label: "A run finished", meaning: "one that ran without me, or longer than 5 min" },
  { id: "failed", label: "A run failed", meaning: "also at a limit, or interrupted by the server" },
  { id: "budget", label: "A budget is reached", meaning: "the run waits for more, or was stopped" },
];
const WAYS: readonly { readonly id: NotificationWay; readonly label: string }[] = [
  { id: "page", label: "In page" },
  { id: "push", label: "Push" },
  { id: "email", label: "E-mail" },
  { id: "channel", label: "Channel" },
];

export interface WayTableProps {
  ways: NotificationPreferences["ways"];
  /** Without a mail server no mail can be chosen, without a linked chat no channel. */
  can: Readonly<Partial<Record<NotificationWay, boolean>>>;
  onChange: (kind: NotificationKind, way: NotificationWay, isOn: boolean) => void;
}

/** One box per kind of notification and way of sending it. */
export function WayTable({ ways, can, onChange }: WayTableProps) {
  return (
    <table className="w-full border-separate border-spacing-0 rounded-lg border border-border text-sm">
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col" className="h-9 pl-4 text-left font-normal">
            Tell me when
          </th>
          {WAYS.map(({ id, label }) => (
            <th key={id} scope="col" className="w-[72px] text-center font-normal max-sm:w-14">
              {id === "channel" && can.channel === false ? (
                <Link href="/settings/channels" className="text-link underline">
                  {label}
                </Link>
              ) : (
                label
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {KINDS.map(({ id: kind, label, meaning }) => (
          <tr key={kind}>
            <th scope="row" className="h-12 border-t border-separator py-1 pl-4 text-left font-normal">
              <span className="block font-medium">{label}</span>
              <span className="block text-xs text-muted">{meaning}</span>
            </th>
            {WAYS.map(({ id: way, label: name }) => (
              <td key={way} className="border-t border-separator text-center">
                <WayBox
                  label={`${label}: ${name}`}
                  isOn={ways[kind][way]}
                  isDisabled={can[way] === false && !ways[kind][way]}
                  onChange={(isOn) => onChange(kind, way, isOn)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
