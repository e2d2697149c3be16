"use client";
import { Label } from "react-aria-components/Label";
import { Radio, RadioGroup } from "react-aria-components/RadioGroup";
import { FIELD_LABEL } from "./text-field";

export interface RadioListProps<Id extends string> {
  label: string;
  /** In place of the label, where the page shows a heading of its own. */
  isLabelHidden?: boolean;
  /** Each a sentence. */
  options: readonly { readonly id: Id; readonly name: string }[];
  value: Id;
  onChange: (id: Id) => void;
  isDisabled?: boolean;
}

/** A choice between a few sentences, all of them in sight. */
export function RadioList<Id extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
}: RadioListProps<Id>) {
  return (
    <RadioGroup
      value={value}
      onChange={(next) => onChange(options.find(({ id }) => id === next)?.id ?? value)}
      isDisabled={isDisabled}
      className="flex flex-col data-[disabled]:opacity-60"
    >
      <Label className={isLabelHidden ? "sr-only" : FIELD_LABEL}>{label}</Label>
      {options.map(({ id, name }) => (
        <Radio
          key={id}
          value={id}
          className="group flex min-h-7 cursor-pointer items-center gap-2 text-sm touch-row data-[disabled]:cursor-default"
        >
          <span
            aria-hidden="true"
            className="flex size-4 shrink-0 items-center justify-center rounded-full border border-border-strong group-data-[focus-visible]:ring-2 group-data-[focus-visible]:ring-focus group-data-[selected]:border-[5px] group-data-[selected]:border-accent"
          />
          {name}
        </Radio>
      ))}
    </RadioGroup>
  );
}
