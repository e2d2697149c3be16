"use client";
import type { ReactNode } from "react";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import { FormNotice } from "./form-notices";

export interface PageFormProps {
  form: SentForm;
  className: string;
  /** Below the fields and what is wrong: the buttons. */
  actions: ReactNode;
  children: ReactNode;
}

/** A form in a page; Enter in a field of one line sends it. */
export function PageForm({ form, className, actions, children }: PageFormProps) {
  const element = useFirstProblem(form);
  const attempt = useOneAtATime(form.isPending);
  return (
    <form
      ref={element}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(form.submit);
      }}
    >
      {children}
      {form.error === null ? null : (
        <p role="alert" className="rounded-md bg-fail-soft px-2.5 py-1.5 text-sm text-fail-text">
          {form.error}
        </p>
      )}
      <FormNotice form={form} />
      {actions}
    </form>
  );
}
