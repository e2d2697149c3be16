const REPLY = 'article[aria-label="Reply"]';
const REGENERATE = 'button[aria-label="Regenerate"]';

/**
 * `r`: a reply that has the focus is answered again. Otherwise the run that ended unfinished is retried, and where there
 * is none the last reply is answered again.
 */
export function pressRetryOrRegenerate(): void {
  const button =
    focusedReply()?.querySelector<HTMLElement>(REGENERATE) ?? nextStep("retry") ?? last(`article ${REGENERATE}`);
  button?.click();
}

/** `g`: the run that ended unfinished is continued. */
export function pressContinue(): void {
  nextStep("continue")?.click();
}

/** The card that offers to retry is part of a reply, but its `r` is its own. */
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
