"use client";
import {
  FormDialog as PlainFormDialog,
  type FormDialogProps as PlainFormDialogProps,
} from "@/components/ui/overlays/form-dialog";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";
import { FormNotice } from "./form-notices";

export interface FormDialogProps extends Omit<PlainFormDialogProps, "isPending" | "error" | "onSubmit" | "formRef"> {
  form: SentForm;
}

/** A dialog around a form: its sending, its problems, and what it forgets as it is closed. */
export function FormDialog({ form, onClose, after, ...dialog }: FormDialogProps) {
  const element = useFirstProblem(form);
  return (
    <PlainFormDialog
      {...dialog}
      formRef={element}
      isPending={form.isPending}
      error={form.error}
      onSubmit={form.submit}
      onClose={() => {
        form.forget();
        onClose();
      }}
      after={
        <>
          <FormNotice form={form} />
          {after}
        </>
      }
    />
  );
}
