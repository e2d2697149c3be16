const TRANSCRIPT = 'section[aria-label="Transcript"]';

/** Moves the focus to the next message (1) or the previous one (-1), from the focused one or the one in view. */
export function stepMessage(by: 1 | -1): void {
  const transcript = document.querySelector<HTMLElement>(TRANSCRIPT);
  if (transcript === null) return;
  const rows = [...transcript.querySelectorAll<HTMLElement>("[data-index]")];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const next = focused === -1 ? firstInSight(transcript, rows) : rows[focused + by];
  const message = next?.querySelector<HTMLElement>("article");
  if (!message) return;
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
  message.scrollIntoView({ block: isTall(message, transcript) ? "start" : "nearest" });
}

function firstInSight(transcript: HTMLElement, rows: readonly HTMLElement[]): HTMLElement | undefined {
  const { top } = transcript.getBoundingClientRect();
  return rows.find((row) => row.getBoundingClientRect().bottom > top + 24);
}

function isTall(message: HTMLElement, transcript: HTMLElement): boolean {
  return message.offsetHeight > transcript.clientHeight;
}
