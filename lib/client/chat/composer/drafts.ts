/** Unsent text per thread, or of a person's start page, kept in this browser. */
const PREFIX = "ringmaster-draft:";
/** The text this tab wrote last: another tab with the same thread may have written since. */
const written = new Map<string, string>();

export function readDraft(threadId: string): string {
  try {
    return localStorage.getItem(PREFIX + threadId) ?? "";
  } catch {
    return "";
  }
}

/** Deletes a draft, unless another tab has written it since. */
export function writeDraft(threadId: string, text: string): void {
  try {
    const kept = localStorage.getItem(PREFIX + threadId);
    const isOwn = kept === (written.get(threadId) ?? kept);
    written.set(threadId, text);
    if (text !== "") localStorage.setItem(PREFIX + threadId, text);
    else if (isOwn) localStorage.removeItem(PREFIX + threadId);
  } catch {
    // Storage may be full or forbidden; the draft then lives as long as the page.
  }
}

/** The thread that the start page has created but that is not shown yet, and the name of that page's draft. */
let begun: { readonly threadId: string; readonly draftName: string } | null = null;

/** From now on the start page only waits for the thread. */
export function beginThread(threadId: string, draftName: string): void {
  begun = { threadId, draftName };
}

/**
 * The text typed on the start page while the thread was opening: it belongs to the thread. Null for any other thread.
 */
export function takeStartDraft(threadId: string): string | null {
  if (begun?.threadId !== threadId) return null;
  const { draftName } = begun;
  begun = null;
  const text = readDraft(draftName);
  writeDraft(draftName, "");
  return text;
}
