"use client";
import type { ReactNode } from "react";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import { FormError, FormNotice } from "./form-notices";

export interface PageFormProps {
  form: SentForm;
  label?: string;
  className: string;
  /** Below the fields and what is wrong: the buttons. */
  actions: ReactNode;
  children: ReactNode;
}

/** A form in a page; Enter in a field of one line sends it. */
export function PageForm({ form, label, className, actions, children }: PageFormProps) {
  const element = useFirstProblem(form);
  const attempt = useOneAtATime(form.isPending);
  return (
    <form
      ref={element}
      noValidate
      aria-label={label}
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(form.submit);
      }}
    >
      {children}
      <FormError form={form} />
      <FormNotice form={form} />
      {actions}
    </form>
  );
}
