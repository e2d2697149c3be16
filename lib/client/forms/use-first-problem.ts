"use client";
import { type RefObject, useEffect, useRef } from "react";
import type { SentForm } from "./use-form";

const CONTROLS = "input:not([type=hidden]), textarea, button";

/** The element around a form's fields: after a refusal the first field that shows a problem takes the focus. */
export function useFirstProblem<Around extends HTMLElement = HTMLFormElement>({
  refusals,
}: SentForm): RefObject<Around | null> {
  const form = useRef<Around>(null);
  useEffect(() => {
    if (refusals === 0) return;
    const field = form.current?.querySelector("[data-invalid], [aria-invalid=true]");
    const control = field?.matches(CONTROLS) ? field : field?.querySelector(CONTROLS);
    if (control instanceof HTMLElement) control.focus();
  }, [refusals]);
  return form;
}
