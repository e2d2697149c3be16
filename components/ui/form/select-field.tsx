"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { Select, type SelectProps } from "@/components/ui/controls/select";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";
import { Theirs } from "./theirs";

export interface SelectFieldProps<Typed extends FieldValues>
  extends Omit<SelectProps, "value" | "onChange" | "isInvalid" | "errorMessage"> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, string | null | undefined>;
  /** What else the choice changes. */
  onChosen?: (id: string) => void;
}

/** A choice of a form, from a list. */
export function SelectField<Typed extends FieldValues>(props: SelectFieldProps<Typed>) {
  const { of: form, name, onChosen, ...look } = props;
  const field = useField(form, name);
  return (
    <>
      <Select
        {...look}
        value={typeof field.value === "string" ? field.value : null}
        onChange={(id) => {
          field.set(id);
          onChosen?.(id);
        }}
        isInvalid={field.problem !== undefined}
        errorMessage={field.problem}
      />
      <Theirs field={field} label={look.label} options={look.options} />
    </>
  );
}
