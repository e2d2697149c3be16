"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { Segments, type SegmentsProps } from "@/components/ui/controls/segments";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";

export interface SegmentsFieldProps<Typed extends FieldValues> extends Omit<SegmentsProps, "value" | "onChange"> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, string | undefined>;
}

/** A choice of a form, side by side. */
export function SegmentsField<Typed extends FieldValues>({ of: form, name, ...look }: SegmentsFieldProps<Typed>) {
  const field = useField(form, name);
  return <Segments {...look} value={String(field.value ?? "")} onChange={field.set} />;
}
