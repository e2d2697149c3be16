"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { CheckList, type CheckListProps } from "@/components/ui/controls/check-list";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";
import { Theirs } from "./theirs";

export interface CheckListFieldProps<Typed extends FieldValues>
  extends Omit<CheckListProps, "value" | "onChange" | "errorMessage"> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, readonly string[] | undefined>;
}

/** Several choices of a form. */
export function CheckListField<Typed extends FieldValues>({ of: form, name, ...look }: CheckListFieldProps<Typed>) {
  const field = useField(form, name);
  return (
    <>
      <CheckList
        {...look}
        value={Array.isArray(field.value) ? field.value.map(String) : []}
        onChange={field.set}
        {...(field.problem === undefined ? {} : { errorMessage: field.problem })}
      />
      <Theirs field={field} label={look.label} options={look.options} />
    </>
  );
}
