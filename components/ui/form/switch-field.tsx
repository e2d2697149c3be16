"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { Switch } from "@/components/ui/controls/switch";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";

export interface SwitchFieldProps<Typed extends FieldValues> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, boolean | undefined>;
  label: string;
}

/** Yes or no in a form, with its label beside it. */
export function SwitchField<Typed extends FieldValues>({ of: form, name, label }: SwitchFieldProps<Typed>) {
  const { value, set, problem } = useField(form, name);
  return (
    <div className="text-sm">
      <p className="flex items-center gap-2">
        <Switch label={label} isOn={value === true} onChange={set} />
        <span aria-hidden>{label}</span>
      </p>
      {problem === undefined ? null : (
        <p role="alert" className="text-xs text-fail-text">
          {problem}
        </p>
      )}
    </div>
  );
}
