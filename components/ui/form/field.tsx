"use client";
import type { FieldPathByValue, FieldValues } from "react-hook-form";
import { TextField, type TextFieldProps } from "@/components/ui/controls/text-field";
import { useField } from "@/lib/client/forms/use-field";
import type { Form } from "@/lib/client/forms/use-form";
import { Theirs } from "./theirs";

type OwnProps = "value" | "onChange" | "name" | "isInvalid" | "errorMessage" | "validationBehavior";

export interface FieldProps<Typed extends FieldValues> extends Omit<TextFieldProps, OwnProps> {
  of: Form<Typed>;
  name: FieldPathByValue<Typed, string | null | undefined>;
}

/** A text of a form. It is masked if its schema is one of a secret. */
export function Field<Typed extends FieldValues>({ of: form, name, ...look }: FieldProps<Typed>) {
  const field = useField(form, name);
  const isMasked = field.isSecret && look.rows === undefined;
  return (
    <>
      <TextField
        {...(isMasked ? { type: "password", autoComplete: "off" } : {})}
        {...look}
        value={String(field.value ?? "")}
        onChange={field.set}
        isInvalid={field.problem !== undefined}
        errorMessage={field.problem}
        // The schema judges; the browser would stop a refused text from being sent again.
        validationBehavior="aria"
      />
      <Theirs field={field} label={look.label} />
    </>
  );
}
