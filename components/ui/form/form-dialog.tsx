"use client";
import { useEffect, useRef } from "react";
import {
  FormDialog as PlainFormDialog,
  type FormDialogProps as PlainFormDialogProps,
} from "@/components/ui/overlays/form-dialog";
import { focusFirstProblem } from "@/lib/client/forms/focus-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";

export interface FormDialogProps extends Omit<PlainFormDialogProps, "isPending" | "error" | "onSubmit" | "formRef"> {
  form: SentForm;
}

/** A dialog around a form: its sending, its problems, and what it forgets as it is closed. */
export function FormDialog({ form, onClose, after, ...dialog }: FormDialogProps) {
  const element = useRef<HTMLFormElement>(null);
  const { refusals } = form;
  useEffect(() => {
    if (refusals > 0) focusFirstProblem(element.current);
  }, [refusals]);
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
          {form.notice === null ? null : (
            <p role="alert" className="mt-3 rounded-md bg-limit-soft px-2.5 py-1.5 text-sm text-limit-text">
              {form.notice}
            </p>
          )}
          {after}
        </>
      }
    />
  );
}
