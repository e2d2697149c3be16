"use client";
import type { KeyboardEvent, ReactNode } from "react";
import { useFirstProblem } from "@/lib/client/forms/use-first-problem";
import type { SentForm } from "@/lib/client/forms/use-form";
import { onEscape } from "@/lib/client/ui/input/on-escape";
import { useOneAtATime } from "@/lib/client/ui/use-one-at-a-time";
import { FormError, FormNotice } from "./form-notices";

export interface PageFormProps {
  form: SentForm;
  label?: string;
  className: string;
  /** Below the fields and what is wrong: the buttons. */
  actions: ReactNode;
  children: ReactNode;
  /** Escape in one of its fields. */
  onEscape?: () => void;
}

/** A form in a page; Enter in a field of one line sends it, ⌘ or Ctrl with Enter in any. */
export function PageForm({ form, label, className, actions, children, onEscape: close }: PageFormProps) {
  const element = useFirstProblem(form);
  const attempt = useOneAtATime(form.isPending);
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (close) onEscape(close)(event);
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form
      ref={element}
      noValidate
      aria-label={label}
      className={className}
      onKeyDown={onKeyDown}
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
