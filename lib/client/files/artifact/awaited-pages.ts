/** Threads whose run was asked for, or left, in this browser tab, and which have not been looked at since. */
const awaited = new Set<string>();

/** A page that the thread's run writes opens by itself, even where the run ends before its thread is shown. */
export function awaitPage(threadId: string): void {
  awaited.add(threadId);
}

/** Whether it was awaited; it is not any more. */
export function takeAwaited(threadId: string): boolean {
  return awaited.delete(threadId);
}
