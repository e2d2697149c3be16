const CONTROLS = "input:not([type=hidden]), textarea, button";

/** Moves the focus to the first field of a form that shows a problem. */
export function focusFirstProblem(form: HTMLFormElement | null): void {
  const field = form?.querySelector("[data-invalid], [aria-invalid=true]");
  const control = field?.matches(CONTROLS) ? field : field?.querySelector(CONTROLS);
  if (control instanceof HTMLElement) control.focus();
}
