"use client";
import { Switch as AriaSwitch } from "react-aria-components/Switch";

export interface SwitchProps {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
  id?: string;
}

/** On or off at once. Its label is next to it: pass what is read aloud. */
export function Switch({ label, isOn, onChange, isDisabled, id }: SwitchProps) {
  return (
    <AriaSwitch
      id={id}
      aria-label={label}
      isSelected={isOn}
      onChange={onChange}
      isDisabled={isDisabled}
      className="group relative flex shrink-0 cursor-pointer items-center touch-target touch-row data-[disabled]:opacity-60"
    >
      <span className="relative block h-4 w-[26px] rounded-full bg-border-strong group-data-[focus-visible]:outline-2 group-data-[focus-visible]:outline-offset-1 group-data-[focus-visible]:outline-focus group-data-[selected]:bg-accent">
        <span className="absolute top-0.5 left-0.5 size-3 rounded-full bg-white transition-[left] duration-100 group-data-[selected]:left-3 group-data-[selected]:bg-accent-foreground" />
      </span>
    </AriaSwitch>
  );
}
