import { processState } from "../process-state";

const turns = processState("thread-turns", () => new Map<string, Promise<unknown>>());

/** Runs `work` after all earlier work of the same thread in this process: two messages at once are stored in order. */
export function inThreadTurn<T>(threadId: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(threadId) ?? Promise.resolve();
  const turn = before.then(work, work);
  const settled = turn
    .catch(() => undefined)
    .finally(() => {
      if (turns.get(threadId) === settled) turns.delete(threadId);
    });
  turns.set(threadId, settled);
  return turn;
}
