const REPLY = 'article[aria-label="Reply"]';
const REGENERATE = 'button[aria-label="Regenerate"]';

/**
 * `r`: answers the focused reply again. Otherwise retries the run that ended unfinished or, if there is none, answers
 * the last reply again.
 */
export function pressRetryOrRegenerate(): void {
  const button =
    focusedReply()?.querySelector<HTMLElement>(REGENERATE) ?? nextStep("retry") ?? last(`article ${REGENERATE}`);
  button?.click();
}

/** `g`: continues the run that ended unfinished. */
export function pressContinue(): void {
  nextStep("continue")?.click();
}

/** The card that offers a retry is part of a reply, but has its own `r`. */
function focusedReply(): Element | null {
  const reply = document.activeElement?.closest(REPLY) ?? null;
  const nearest = document.activeElement?.closest("article") ?? null;
  return nearest !== reply && nearest?.querySelector("[data-next-step]") ? null : reply;
}

function nextStep(step: "continue" | "retry"): HTMLElement | undefined {
  return last(`article button[data-next-step="${step}"]`);
}

function last(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].at(-1);
}
