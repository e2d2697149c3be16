/** Threads that this tab has deleted. The page of one may stay for a moment and must not ask the server for it again. */
const gone = new Set<string>();

export function markGone(threadId: string): void {
  gone.add(threadId);
}

export function markBack(threadId: string): void {
  gone.delete(threadId);
}

export function isGone(threadId: string): boolean {
  return gone.has(threadId);
}
