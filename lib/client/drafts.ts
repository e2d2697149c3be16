/** Unsent text per thread, or of a person's start page, kept in this browser. */
const PREFIX = "ringmaster-draft:";

export function readDraft(threadId: string): string {
  try {
    return localStorage.getItem(PREFIX + threadId) ?? "";
  } catch {
    return "";
  }
}

export function writeDraft(threadId: string, text: string): void {
  try {
    if (text === "") localStorage.removeItem(PREFIX + threadId);
    else localStorage.setItem(PREFIX + threadId, text);
  } catch {
    // Storage may be full or forbidden; the draft then lives as long as the page.
  }
}
