/** Threads whose run was started, or left, in this browser tab, and which have not been viewed since. */
const awaited = new Set<string>();

/** A page that the thread's run writes opens automatically, even if the run ends before its thread is shown. */
export function awaitPage(threadId: string): void {
  awaited.add(threadId);
}

/** Whether it was awaited; clears the mark. */
export function takeAwaited(threadId: string): boolean {
  return awaited.delete(threadId);
}
