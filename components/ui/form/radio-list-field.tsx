"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { RadioList, type RadioListProps } from "@/components/ui/controls/radio-list";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";

export interface RadioListFieldProps<Typed extends FieldValues>
  extends Omit<RadioListProps<string>, "value" | "onChange"> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, string | undefined>;
}

/** A choice of a form between a few sentences. */
export function RadioListField<Typed extends FieldValues>({ of: form, name, ...look }: RadioListFieldProps<Typed>) {
  const field = useField(form, name);
  return <RadioList {...look} value={String(field.value ?? "")} onChange={field.set} />;
}
