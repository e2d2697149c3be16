"use client";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { classNames } from "@/lib/client/ui/class-names";

export interface SegmentsProps {
  /** Read aloud; not shown. */
  label: string;
  options: readonly { readonly id: string; readonly name: string; readonly count?: number }[];
  value: string | null;
  onChange: (id: string) => void;
  /** Fills its row, with equally wide options. */
  isFull?: boolean;
  isDisabled?: boolean;
}

/** A choice of a few words side by side. */
export function Segments({ label, options, value, onChange, isFull = false, isDisabled }: SegmentsProps) {
  return (
    <RadioGroup
      aria-label={label}
      orientation="horizontal"
      value={value}
      onChange={onChange}
      isDisabled={isDisabled}
      className={classNames("rounded-md bg-default p-0.5 data-[disabled]:opacity-60", isFull ? "flex" : "inline-flex")}
    >
      {options.map(({ id, name, count }) => (
        <Radio
          key={id}
          value={id}
          className={classNames(
            "flex h-6 cursor-pointer items-center justify-center rounded-sm px-2 text-xs font-medium whitespace-nowrap text-muted outline-none touch-row data-[focus-visible]:outline-2 data-[focus-visible]:outline-focus data-[selected]:bg-(--segment) data-[selected]:text-foreground data-[selected]:shadow-[0_1px_2px_oklch(0.2_0.01_70/0.12)]",
            isFull && "flex-1",
          )}
        >
          {name}
          {count === undefined ? null : <span className="tnum ml-1.5 font-normal text-subtle">{count}</span>}
        </Radio>
      ))}
    </RadioGroup>
  );
}
